import { parseArgs } from 'node:util';
import { writeArchive } from './archive-file.ts';
import type { Command } from './command.ts';

export const evidenceCommand: Command = {
  usage: 'assay evidence JOB_ID --out FILE',
  summary: 'write a job’s evidence to a file that replays on another machine',
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
