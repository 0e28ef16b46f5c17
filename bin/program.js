// Loads the program with as few calls to the file system as are needed: decision 0035. Runs on the installed Node only.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { made, readMade, resolveOwnImports } from './own-imports.js';

const root = new URL('../', import.meta.url);

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
  resolveOwnImports(['src']);
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
