import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProcessOptions } from './process.ts';

export interface Started<Said> {
  readonly said: Said;
  /** Seconds of CPU since its start. */
  cpuSeconds(): Promise<number>;
  /** Statements that it sent to the database since its start, by their first words. */
  statements(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

/** Starts a process of the measurement; resolves with the first line that it prints. */
export async function startProcess<Said>(options: ProcessOptions): Promise<Started<Said>> {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return {
    said: (await firstLine(child)) as Said,
    async cpuSeconds() {
      const { user, system } = await spentBy(child);
      return (user + system) / 1e6;
    },
    async statements() {
      return new Map((await spentBy(child)).statements);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

interface Spent extends NodeJS.CpuUsage {
  readonly statements: readonly (readonly [string, number])[];
}

async function spentBy(child: ChildProcess): Promise<Spent> {
  child.send('cpu');
  const [spent] = (await once(child, 'message')) as [Spent];
  return spent;
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end >= 0) return JSON.parse(text.slice(0, end));
  }
  throw new Error('the process ended before it was ready');
}
