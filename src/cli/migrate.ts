import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  usage: ['assay migrate [--check]', 'assay migrate --citus'].join('\n'),
  summary:
    "bring the database's tables up to date (a start does it by itself), list what is missing, or how to distribute them",
  async run(args, { terminal, operations }) {
    const { values } = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean', default: false }, citus: { type: 'boolean', default: false } },
    });
    if (values.citus) {
      terminal.out(operations.distribution().trimEnd());
      return 0;
    }
    const { applied, pending, newer, unknown } = await operations.migrations(!values.check);
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
