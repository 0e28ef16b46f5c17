import { parseArgs } from 'node:util';
import type { Command } from './command.ts';

export const configCommand: Command = {
  usage: 'assay config [--json]',
  summary: 'every setting with its value in force; secrets are only said to be set',
  async run(args, { terminal, settings }) {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
    const rows = settings();
    if (values.json) terminal.out(JSON.stringify(rows, null, 2));
    else
      for (const row of rows)
        terminal.out(`${row.name}=${row.value}\n    ${row.description} (default: ${row.default || 'none'})`);
    return 0;
  },
};
