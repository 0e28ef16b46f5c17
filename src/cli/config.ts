import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

export const configCommand: Command = {
  ...MANUAL.config,
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
