// Loaded before the demo and the process of its world: modules load as in a service (decision 0035), and compiled ones are kept
// between runs, as bin/assay.js does.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { resolveOwnImports } from '../bin/own-imports.js';

if (process.env.NODE_COMPILE_CACHE === undefined)
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay', 'compiled'));
resolveOwnImports(['src', 'sandbox', 'methodology']);
