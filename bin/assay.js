#!/usr/bin/env node
// Runs the command line on the Node that npm installed beside us, whatever node the machine has.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
// The whole module: an older Node lacks the compile cache and would refuse an import by its name.
import module from 'node:module';
import { constants, homedir } from 'node:os';
import { dirname, join } from 'node:path';

const runtime = join(dirname(module.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
if (realpathSync(runtime) === realpathSync(process.execPath)) await here();
else elsewhere();

async function here() {
  // Keeps compiled modules between runs; without it a command spends more time compiling than working. Before the first of them is loaded.
  // In the user's own folder: code read from a shared one could be somebody else's. Where that cannot be written nothing is kept.
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
