import { parseArgs } from 'node:util';
import { counted } from '../domain/index.ts';
import type { BackupSummary, OnProgress } from '../operations/index.ts';
import type { Command, Terminal } from './context.ts';
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

/** Progress on the terminal, about ten times a second. */
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
  return `${head.dataMode} data of ${head.createdAt} (version ${head.version}, tables ${head.migration}): ${counted(rows, 'row')} in ${counted(tables.length, 'table')}, ${counted(files, 'export file')}, ${sizeOf(size)} for ${sizeOf(content)}`;
}

function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${step === 0 ? bytes : (bytes / 1_000 ** step).toFixed(1)} ${units[step]}`;
}

export const restoreCommand: Command = {
  ...MANUAL.restore,
  async run(args, { terminal, openOperations }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        in: { type: 'string' },
        to: { type: 'string' },
        force: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
      },
    });
    const { in: file, to, force, check } = values;
    if (!file || (to !== undefined && !/^postgres(ql)?:\/\/\S+$/.test(to)) || (check && (force || to !== undefined))) {
      terminal.err(
        file && !check
          ? '--to: expected a url starting with postgres:// or postgresql://'
          : `usage:\n${restoreCommand.usage}`,
      );
      return 64;
    }
    const onProgress = showing(terminal);
    const outcome = check
      ? await (await openOperations()).look(file, onProgress)
      : await (await openOperations()).restore({ file, to: to ?? null, force, onProgress });
    terminal.progress('');
    if (!outcome.ok) {
      terminal.err(`${outcome.reason}: ${outcome.detail}`);
      return outcome.reason === 'not_readable' ? 66 : 1;
    }
    terminal.out(`${check ? 'good' : 'restored'}: ${described(outcome.value)}`);
    terminal.out(`sha256 ${outcome.value.sha256}`);
    return 0;
  },
};

export const migrateCommand: Command = {
  ...MANUAL.migrate,
  async run(args, { terminal, openOperations }) {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean', default: false }, citus: { type: 'boolean', default: false } },
    });
    if (values.citus) {
      terminal.out((await openOperations()).distribution().trimEnd());
      return 0;
    }
    const { applied, pending, newer, unknown } = await (await openOperations()).migrations(!values.check);
    if (unknown.length > 0) {
      terminal.err(
        `the database was brought up to date by a newer version of Assay (${unknown.join(', ')}): start that version, or restore a backup of this one`,
      );
      return 1;
    }
    for (const name of applied) terminal.out(`${name}: in place`);
    for (const name of newer) terminal.out(`${name}: of a newer version; this one works on it`);
    for (const name of pending) terminal.out(`${name}: ${values.check ? 'missing' : 'applied now'}`);
    return values.check && pending.length > 0 ? 1 : 0;
  },
};

const SIGNS = { good: 'good   ', watch: 'watch  ', wrong: 'WRONG  ', skipped: 'skipped' };

export const doctorCommand: Command = {
  ...MANUAL.doctor,
  async run(args, { terminal, openOperations }) {
    const { values } = parseArgs({
      args: [...args],
      options: { offline: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const counts = { good: 0, watch: 0, wrong: 0, skipped: 0 };
    for await (const finding of (await openOperations()).examine({ offline: values.offline })) {
      const { check, state, detail, mend } = finding;
      counts[state] += 1;
      terminal.progress('');
      if (values.json) terminal.out(JSON.stringify(finding));
      else {
        terminal.out(`${SIGNS[state]}  ${check}: ${detail}`);
        if (mend !== null) terminal.out(`         -> ${mend}`);
      }
      terminal.progress(`${Object.values(counts).reduce((sum, count) => sum + count)} looked at`);
    }
    terminal.progress('');
    if (!values.json)
      terminal.out(
        counts.wrong === 0
          ? `nothing is wrong${counts.watch === 0 ? '' : `, ${counts.watch} to watch`}`
          : `${counts.wrong} wrong, ${counts.watch} to watch, ${counts.good} good`,
      );
    return counts.wrong === 0 ? 0 : 1;
  },
};
