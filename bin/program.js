// Loads the program with as few calls to the file system as are needed: decision 0035. Runs on the installed Node only.
import { readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const made = new URL('node_modules/.assay/', root);

/** What loads files beside `src/`, which import those as well. */
const FROM_SOURCE = ['validate'];
const SERVICES = ['all', 'serve', 'api', 'worker'];

/** The module with `run`: the one that the installation joined, while no file of it has changed since; else `src/main.ts`. */
export async function program(command) {
  if (!FROM_SOURCE.includes(command) && isFresh()) {
    // What a service logs names the files of `src/`; a command says what is wrong in words, and is faster without.
    if (SERVICES.includes(command)) process.setSourceMapsEnabled(true);
    return import(new URL('commands/main.js', made).href);
  }
  resolveOwnImports();
  return import('../src/main.ts');
}

/** Whether every file that went into the joined program is as it was then. */
function isFresh() {
  const files = readMade('commands/files.json');
  if (files === null) return false;
  const folder = fileURLToPath(root);
  for (const [path, size, seconds] of files) {
    const found = statSync(folder + path, { throwIfNoEntry: false });
    if (found === undefined || found.size !== size || Math.floor(found.mtimeMs / 1000) !== seconds) return false;
  }
  return true;
}

/**
 * Finds the imports of `src/` without asking the file system, which Node does several times for each. Its own files are named by their
 * path; packages of hundreds of small modules are in the few files that the installation made of them (packaging/bundle-modules.js). Where
 * nothing was made those load one by one, and a package's own imports always do.
 */
function resolveOwnImports() {
  const joined = readMade('modules.json') ?? {};
  const own = new URL('src/', root).href;
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.startsWith(own)) return next(specifier, context);
      if (specifier.startsWith('.') && specifier.endsWith('.ts'))
        return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
      const file = joined[specifier];
      return file === undefined
        ? next(specifier, context)
        : { url: new URL(file, made).href, format: 'module', shortCircuit: true };
    },
  });
}

/** A file that the installation made, or null where it made none. */
function readMade(name) {
  try {
    return JSON.parse(readFileSync(new URL(name, made), 'utf8'));
  } catch {
    return null;
  }
}
