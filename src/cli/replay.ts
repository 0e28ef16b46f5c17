import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readArchive } from './archive-file.ts';
import type { Command } from './command.ts';
import type { Archive, CliContext } from './context.ts';
import { MANUAL } from './manual.ts';

export const replayCommand: Command = {
  ...MANUAL.replay,
  async run(args, context) {
    const { terminal, archiveOf } = context;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        file: { type: 'string' },
        bodies: { type: 'boolean' },
        json: { type: 'boolean' },
        report: { type: 'boolean' },
      },
    });
    const [jobId] = positionals;
    if ((jobId === undefined) === (values.file === undefined)) {
      terminal.err(`usage: ${replayCommand.usage}`);
      return 64;
    }
    const archive = values.file ? await readArchive(values.file) : await archiveOf(jobId ?? '');
    if (!archive) {
      terminal.err(`there is no finished job ${jobId}`);
      return 1;
    }
    const outcome = await replay(archive, values.bodies === true, context);
    if (values.json) terminal.out(JSON.stringify(outcome.summary));
    else for (const [name, value] of Object.entries(outcome.summary)) terminal.out(`${name.padEnd(22)} ${value}`);
    if (values.report && outcome.bytes) terminal.out(Buffer.from(outcome.bytes).toString('utf8'));
    return outcome.same ? 0 : 1;
  },
};

async function replay(archive: Archive, fromBodies: boolean, context: CliContext) {
  const { evidence } = archive;
  const read = fromBodies ? await context.reobserve(archive) : null;
  const rebuilt = await context.rebuild(read ? { ...evidence, observations: read.observations } : evidence);
  if (!rebuilt.ok)
    return { same: false, bytes: null, summary: { job_id: evidence.jobId, same_bytes: false, detail: rebuilt.detail } };
  const then = archive.result ? sha256(archive.result) : null;
  const now = sha256(rebuilt.bytes);
  const { rating } = rebuilt.report;
  const same = then === now;
  return {
    same,
    bytes: rebuilt.bytes,
    summary: {
      job_id: evidence.jobId,
      band: rating.band,
      score: rating.score,
      trust: rating.trust.score,
      methodology: evidence.methodologyVersion,
      observations: evidence.observations.length,
      ...(read ? { bodies_read: read.bodies, bodies_gone: read.gone, replies_different: read.different.length } : {}),
      sha256_then: then ?? 'not kept',
      sha256_now: now,
      same_bytes: same,
    },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
