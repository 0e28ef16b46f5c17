#!/usr/bin/env node
// Runs the command line on the Node that npm installed with this package, whatever node the machine has.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
// The whole module: an older Node lacks the compile cache and would refuse to import it by name.
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';

const runtime = join(dirname(module.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
if (realpathSync(runtime) === realpathSync(process.execPath)) await here();
else elsewhere();

async function here() {
  // Keeps compiled modules between runs: without it a command spends more time compiling than working. Set before the first module is loaded.
  // In the user's own folder, because code in a shared folder could have been written by another user. Where the folder is not writable nothing is kept.
  // NODE_COMPILE_CACHE names another folder.
  if (process.env.NODE_COMPILE_CACHE === undefined)
    module.enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay', 'compiled'));
  const { program } = await import('./program.js');
  const { run } = await program(process.argv[2]);
  run(process.argv.slice(2));
}

function elsewhere() {
  const child = spawn(runtime, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1);
  });
}
