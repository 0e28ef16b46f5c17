import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { counted, type EvidenceRecord } from '../domain/index.ts';
import type { Archive, CliContext, Command } from './context.ts';
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
      `${values.out}: ${counted(archive.evidence.observations.length, 'observation')}, ${counted(archive.evidence.responses.length, 'reply', 'replies')}, ${counted(bodies, 'body', 'bodies')}`,
    );
    return 0;
  },
};

/** Content of an archive file: one gzip-compressed JSON document that replays the same on any machine. */
interface ArchiveFile {
  readonly schema: 'assay.archive/1';
  readonly evidence: EvidenceRecord;
  readonly result: string | null;
  /** Base64 by SHA-256; only bodies that were still kept. */
  readonly bodies: Readonly<Record<string, string>>;
}

const LARGEST = 256 * 1024 * 1024;

/** Writes an archive for another machine. Returns the number of bodies in it. */
export async function writeArchive(path: string, archive: Archive): Promise<number> {
  const bodies: Record<string, string> = {};
  for (const { sha256 } of archive.evidence.responses) {
    const body = sha256 === null || sha256 in bodies ? null : await archive.bodyOf(sha256);
    if (sha256 !== null && body) bodies[sha256] = Buffer.from(body).toString('base64');
  }
  const file: ArchiveFile = {
    schema: 'assay.archive/1',
    evidence: archive.evidence,
    result: archive.result ? Buffer.from(archive.result).toString('base64') : null,
    bodies,
  };
  await writeFile(path, gzipSync(JSON.stringify(file)));
  return Object.keys(bodies).length;
}

/** Reads an archive file; a body with a wrong hash is treated as missing. Throws on a file that is not an archive. */
export async function readArchive(path: string): Promise<Archive> {
  const text = gunzipSync(await readFile(path), { maxOutputLength: LARGEST }).toString('utf8');
  const file = JSON.parse(text) as ArchiveFile;
  if (file.schema !== 'assay.archive/1')
    throw new Error(`${path} is not an archive of this kind: expected schema assay.archive/1`);
  return {
    evidence: file.evidence,
    result: file.result === null ? null : Buffer.from(file.result, 'base64'),
    bodyOf: async (sha256) => {
      const encoded = file.bodies[sha256];
      const body = encoded === undefined ? null : Buffer.from(encoded, 'base64');
      return body && createHash('sha256').update(body).digest('hex') === sha256 ? body : null;
    },
  };
}
