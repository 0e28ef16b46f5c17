import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { EvidenceRecord } from '../domain/index.ts';
import type { Archive } from './context.ts';

/** What an archive file holds: one gzip-compressed JSON document that replays the same on any machine. */
interface ArchiveFile {
  readonly schema: 'assay.archive/1';
  readonly evidence: EvidenceRecord;
  readonly result: string | null;
  /** Base64 by SHA-256; only bodies that were still kept. */
  readonly bodies: Readonly<Record<string, string>>;
}

const LARGEST = 256 * 1024 * 1024;

/** Writes an archive for another machine. Returns how many bodies went along. */
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

/** Reads an archive file; a body whose hash does not fit is treated as not there. Throws on a file that is no archive. */
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
