import { parseArgs } from 'node:util';
import { described, showing } from './backup.ts';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

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
