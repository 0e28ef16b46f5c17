import { resolveOwnImports } from '../../bin/own-imports.js';

/** Loaded before each test file and each process that runs from our sources: it loads as a service does (decision 0035). */
resolveOwnImports(['src', 'sandbox', 'methodology', 'research', 'test']);
