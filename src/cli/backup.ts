import { parseArgs } from 'node:util';
import type { BackupSummary, OnProgress } from '../operations/index.ts';
import type { Command } from './command.ts';
import type { Terminal } from './context.ts';
import { MANUAL } from './manual.ts';

export const backupCommand: Command = {
  ...MANUAL.backup,
  async run(args, { terminal, openOperations }) {
    const { values } = parseArgs({ args: [...args], options: { out: { type: 'string' } } });
    if (!values.out) {
      terminal.err(`usage: ${backupCommand.usage}`);
      return 64;
    }
    const made = await (await openOperations()).backup(values.out, showing(terminal));
    terminal.progress('');
    if (!made.ok) {
      terminal.err(`${made.reason}: ${made.detail}`);
      return made.reason === 'not_writable' ? 73 : 1;
    }
    terminal.out(`${values.out}: ${described(made.value)}`);
    terminal.out(`sha256 ${made.value.sha256}`);
    terminal.out('It holds signing keys and webhook secrets: keep it as you keep passwords.');
    return 0;
  },
};

const STEPS = { write: 'writing', check: 'checking', read: 'restoring' };
const SHOW_EVERY_MS = 100;

/** Progress on the terminal, some ten times a second. */
export function showing(terminal: Terminal): OnProgress {
  let shownAt = 0;
  return ({ step, part, bytes }) => {
    const now = performance.now();
    if (now - shownAt < SHOW_EVERY_MS) return;
    shownAt = now;
    terminal.progress(`${STEPS[step]} ${part}: ${sizeOf(bytes)} so far`);
  };
}

/** A backup in one line. */
export function described({ head, tables, files, fileBytes, size }: BackupSummary): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const content = tables.reduce((sum, table) => sum + table.bytes, 0) + fileBytes;
  return `${head.dataMode} data of ${head.createdAt} (version ${head.version}, tables ${head.migration}): ${rows} rows in ${tables.length} tables, ${files} export files, ${sizeOf(size)} for ${sizeOf(content)}`;
}

function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? bytes : (bytes / 1_000 ** step).toFixed(1)} ${units[step]}`;
}
