import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

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
