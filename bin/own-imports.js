// Resolves imports with as few calls to the file system as possible (decision 0035). Runs on the installed Node only.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const root = new URL('../', import.meta.url);
/** The folder of the joined files that the installation made. */
export const made = new URL('node_modules/.assay/', root);

/**
 * Resolves imports from these folders without calls to the file system, which Node makes several times for each. Our own files are named by
 * their path; packages of hundreds of small modules are in the few files that the installation made (packaging/bundle-modules.js).
 * Without these files the packages load module by module, as a package's own imports always do.
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

/** A file that the installation made; null if there is none. */
export function readMade(name) {
  try {
    return JSON.parse(readFileSync(new URL(name, made), 'utf8'));
  } catch {
    return null;
  }
}
