import { parseArgs } from 'node:util';
import { counted } from '../domain/index.ts';
import type { MoveProgress, MoveSummary } from '../operations/index.ts';
import type { Command, Terminal } from './context.ts';
import { MANUAL } from './manual.ts';

export const migrateToCommand: Command = {
  ...MANUAL['migrate-to'],
  async run(args, { terminal, openOperations, config, exportsRoot }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { verify: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [to, ...others] = positionals;
    // The url is not repeated, since it may hold a password.
    if (to === undefined || others.length > 0 || !/^postgres(ql)?:\/\/\S+$/.test(to) || !URL.canParse(to)) {
      terminal.err(
        to === undefined || others.length > 0
          ? `usage: ${migrateToCommand.usage}`
          : 'expected a url starting with postgres:// or postgresql://',
      );
      return 64;
    }
    const moved = await (await openOperations()).migrateTo({
      to,
      verifyOnly: values.verify,
      onProgress: showing(terminal),
    });
    terminal.progress('');
    if (!moved.ok) {
      terminal.err(`${moved.reason}: ${moved.detail}`);
      return moved.reason === 'unreachable' || moved.reason === 'interrupted' ? 69 : 1;
    }
    terminal.out(described(moved.value, values.verify));
    if (values.verify) return 0;
    for (const name of moved.value.again)
      terminal.out(`${name}: copied again, since it had changed after an earlier run`);
    terminal.out('The old database is as it was. Next: set DATABASE_URL to the new one and start the service.');
    terminal.out(
      `Published exports are files and stay where they are: keep ${exportsRoot} (ASSAY_DATA_DIR=${config.dataDir}).`,
    );
    terminal.out('When the service runs on the new database, remove the old one: it holds the same keys and secrets.');
    return 0;
  },
};

const STEPS = { copy: 'copying', verify: 'comparing' };
const SHOW_EVERY_MS = 100;

function showing(terminal: Terminal): (progress: MoveProgress) => void {
  let shownAt = 0;
  return ({ step, part, at, of, rows, bytes, seconds }) => {
    const now = performance.now();
    if (now - shownAt < SHOW_EVERY_MS) return;
    shownAt = now;
    terminal.progress(
      `${STEPS[step]} ${part} (${at} of ${of}): ${counted(rows, 'row')}, ${(bytes / 1e6).toFixed(1)} MB so far, ${perSecond(rows, seconds)}`,
    );
  };
}

function described({ parts, rows, copied, bytes, seconds }: MoveSummary, verifyOnly: boolean): string {
  const all = `${counted(rows, 'row')} in ${parts} tables and days are the same on both sides`;
  if (verifyOnly) return `${all} (compared in ${seconds.toFixed(1)} s)`;
  return `${all}; this run copied ${copied} rows, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s with the comparison (${perSecond(copied, seconds)})`;
}

function perSecond(rows: number, seconds: number): string {
  return `${Math.round(rows / Math.max(seconds, 0.001))} rows/s`;
}
