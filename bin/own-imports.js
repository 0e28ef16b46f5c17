// Finds imports with as few calls to the file system as are needed: decision 0035. Runs on the installed Node only.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../', import.meta.url);
/** The folder of what the installation joined. */
export const made = new URL('node_modules/.assay/', root);

/**
 * Finds the imports of these folders without asking the file system, which Node does several times for each. Our own files are named by
 * their path; packages of hundreds of small modules are in the few files that the installation made of them (packaging/bundle-modules.js).
 * Where nothing was made those load one by one, and a package's own imports always do.
 */
export function resolveOwnImports(folders) {
  const joined = readMade('modules.json') ?? {};
  const own = folders.map((folder) => new URL(`${folder}/`, root).href);
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL } = context;
      if (parentURL === undefined || !own.some((folder) => parentURL.startsWith(folder)))
        return next(specifier, context);
      if (specifier.startsWith('.') && specifier.endsWith('.ts'))
        return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
      const file = joined[specifier];
      return file === undefined
        ? next(specifier, context)
        : { url: new URL(file, made).href, format: 'module', shortCircuit: true };
    },
  });
}

/** A file that the installation made, or null where it made none. */
export function readMade(name) {
  try {
    return JSON.parse(readFileSync(new URL(name, made), 'utf8'));
  } catch {
    return null;
  }
}
