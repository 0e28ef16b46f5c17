import type { CliContext } from './context.ts';

/** One command: what it is for, how it is called, what it does. Returns the exit code. */
export interface Command {
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[], context: CliContext) => Promise<number>;
}
