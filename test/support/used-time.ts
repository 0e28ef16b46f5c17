import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { queuedMs, readSystem } from '../../src/upstream/fixtures/own-time.ts';

/**
 * Loaded before a test file when durations are measured: adds a line with what the file took to the named file when it ends. Processor time
 * includes child processes that have ended; where the system does not say it, it is that of the process alone.
 */
const into = process.env.ASSAY_TEST_TIMES;
// Threads and children of a file are started with its flags.
if (into && isMainThread && /\.test\.ts$/.test(process.argv[1] ?? ''))
  process.once('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const row = {
      file: process.argv[1],
      wall: process.uptime(),
      cpu: (userCPUTime + systemCPUTime) / 1e6 + secondsOfChildren(),
      queued: queuedMs() / 1000,
    };
    appendFileSync(into, `${JSON.stringify(row)}\n`);
  });

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100;

function secondsOfChildren(): number {
  // The name of the command, in brackets, may hold spaces; fields 16 and 17 are the times of children.
  const fields = readSystem('/proc/self/stat')?.split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / TICKS;
}
