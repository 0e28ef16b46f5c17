import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  usage: 'assay migrate [--check]',
  summary: "bring the database's tables up to date, or list what is missing (a start does it by itself)",
  async run(args, { terminal, operations }) {
    const { values } = parseArgs({ args: [...args], options: { check: { type: 'boolean', default: false } } });
    const { applied, pending, unknown } = await operations.migrations(!values.check);
    if (unknown.length > 0) {
      terminal.err(
        `the database was brought up to date by a newer version of Assay (${unknown.join(', ')}): start that version, or restore a backup of this one`,
      );
      return 1;
    }
    for (const name of applied) terminal.out(`${name}: in place`);
    for (const name of pending) terminal.out(`${name}: ${values.check ? 'missing' : 'applied now'}`);
    return values.check && pending.length > 0 ? 1 : 0;
  },
};
