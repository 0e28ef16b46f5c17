import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ProcessOptions } from './process.ts';

export interface Started<Said> {
  readonly said: Said;
  /** Seconds of CPU since its start. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a process of the measurement; resolves with the line it says when it is ready. */
export async function startProcess<Said>(options: ProcessOptions): Promise<Started<Said>> {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), [JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return {
    said: (await firstLine(child)) as Said,
    async cpuSeconds() {
      child.send('cpu');
      const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      return (usage.user + usage.system) / 1e6;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
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
