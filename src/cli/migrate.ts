import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

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
