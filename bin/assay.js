#!/usr/bin/env node
// Runs the command line on the Node that npm installed beside us, whatever node the machine has.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const runtime = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
// Where npm installed real folders, a fifth of the time to load modules goes into resolving symbolic links that are not there.
const isFlat = runtime === join(root, 'node_modules', 'node', 'bin', 'node');
const flags = isFlat ? ['--preserve-symlinks'] : [];
const child = spawn(runtime, [...flags, join(root, 'src', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1);
});
