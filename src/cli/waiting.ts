import type { Terminal } from './context.ts';

const TICK_MS = 1_000;

/** Says on the terminal what is waited for, and for how long already, until `work` ends. `words` may change meanwhile. */
export async function waiting<Value>(
  terminal: Pick<Terminal, 'progress'>,
  words: () => string,
  work: () => Promise<Value>,
): Promise<Value> {
  const startedAt = performance.now();
  const tell = () => terminal.progress(`${words()}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const timer = setInterval(tell, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    terminal.progress('');
  }
}
