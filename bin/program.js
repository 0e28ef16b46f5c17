// Loads the program with as few calls to the file system as possible (decision 0035). Runs on the installed Node only.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { made, readMade, resolveOwnImports } from './own-imports.js';

const root = new URL('../', import.meta.url);

/** Arguments whose code loads files beside `src/` that import the same modules. */
const FROM_SOURCE = ['validate'];
const SERVICES = ['all', 'serve', 'api', 'worker'];

/** The module with `run`: the joined one while none of its files has changed since; else `src/main.ts`. */
export async function program(command) {
  if (!FROM_SOURCE.includes(command) && isFresh()) {
    // A service's logs name the files of `src/`; a command prints its errors as text, and starts faster without source maps.
    if (SERVICES.includes(command)) process.setSourceMapsEnabled(true);
    return import(new URL('commands/main.js', made).href);
  }
  resolveOwnImports(['src']);
  return import('../src/main.ts');
}

/** Whether every file in the joined program is unchanged. */
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
