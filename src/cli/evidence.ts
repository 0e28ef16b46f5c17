import { parseArgs } from 'node:util';
import { writeArchive } from './archive-file.ts';
import type { Command } from './command.ts';
import { MANUAL } from './manual.ts';

export const evidenceCommand: Command = {
  ...MANUAL.evidence,
  async run(args, { terminal, archiveOf }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: { type: 'string' } },
    });
    const [jobId] = positionals;
    if (!jobId || !values.out) {
      terminal.err(`usage: ${evidenceCommand.usage}`);
      return 64;
    }
    const archive = await archiveOf(jobId);
    if (!archive) {
      terminal.err(`there is no finished job ${jobId}`);
      return 1;
    }
    const bodies = await writeArchive(values.out, archive);
    terminal.out(
      `${values.out}: ${archive.evidence.observations.length} observations, ${archive.evidence.responses.length} replies, ${bodies} bodies`,
    );
    return 0;
  },
};
