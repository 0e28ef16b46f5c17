import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import canonicalize from 'canonicalize';
import { EXPORT_FORMATS, type ManifestEntry } from '../contract/index.ts';
import { folderOf, listDays, readEntry } from './day-folder.ts';
import { plainFile } from './restate.ts';
import { compareForms } from './verify-forms.ts';

/** A published key, as `/.well-known/assay-keys.json` lists them. */
export interface VerifyingKey {
  readonly kid: string;
  readonly x: string;
}

/** One revision of a day and what is wrong with it; nothing when all is well. */
export interface VerifiedDay {
  readonly date: string;
  readonly revision: number;
  readonly rows: number;
  readonly files: number;
  readonly complaints: readonly string[];
}

type File = ManifestEntry['files'][number];

/**
 * Checks every published file set of a subject (or those of one day): the bytes and hash of each file, the signature of the
 * manifest, that packed files hold what the plain ones do, and that all forms hold the same values, row by row.
 */
export async function* verifyDays(
  root: string,
  subject: string,
  date: string | null,
  keys: readonly VerifyingKey[],
): AsyncGenerator<VerifiedDay> {
  const days = await listDays(root, subject);
  for (const day of days.toReversed()) {
    if (date !== null && day.date !== date) continue;
    const folder = join(root, subject, folderOf(day.date, day.revision));
    const entry = await readEntry(folder).catch(() => null);
    if (entry === null || !isEntry(entry)) {
      yield { ...day, rows: 0, files: 0, complaints: ['its day.json cannot be read, or is no manifest entry'] };
      continue;
    }
    const complaints = await complaintsOf(folder, day, entry, keys);
    complaints.push(...(await restatementComplaints(root, subject, entry)));
    yield { ...day, rows: entry.rows, files: entry.files.length, complaints };
  }
}

/** A folder that is verified may come from anywhere. */
function isEntry({ date, rows, files, restates, signature }: Partial<ManifestEntry>): boolean {
  const isHash = (text: unknown) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  return (
    typeof date === 'string' &&
    Number.isInteger(rows) &&
    Array.isArray(files) &&
    files.every((file: Partial<File>) => typeof file?.name === 'string' && isHash(file.sha256)) &&
    (restates === null || isHash(restates?.sha256)) &&
    typeof signature?.key_id === 'string' &&
    typeof signature.value === 'string'
  );
}

async function complaintsOf(
  folder: string,
  day: { readonly date: string; readonly revision: number },
  entry: ManifestEntry,
  keys: readonly VerifyingKey[],
): Promise<string[]> {
  const complaints: string[] = [];
  if (entry.date !== day.date || (entry.revision ?? 1) !== day.revision)
    complaints.push(`its manifest is of ${entry.date}, revision ${entry.revision ?? 1}`);
  complaints.push(...signatureComplaints(entry, keys));
  const plainHashes = new Map(
    entry.files.filter((file) => file.encoding === 'identity').map((file) => [file.format, file.sha256]),
  );
  for (const file of entry.files) {
    const found = await fileComplaint(folder, file, plainHashes.get(file.format) ?? null);
    if (found !== null) complaints.push(`${file.name}: ${found}`);
  }
  if (complaints.length > 0) return complaints;
  const paths = EXPORT_FORMATS.map((format) => [format, plainFile(entry, format)?.name] as const);
  const missing = paths.filter(([, name]) => name === undefined);
  if (missing.length > 0) return missing.map(([format]) => `there is no ${format} file`);
  const path = (format: (typeof EXPORT_FORMATS)[number]) =>
    join(folder, paths.find(([known]) => known === format)?.[1] ?? '');
  const forms = { json: path('json'), csv: path('csv'), ndjson: path('ndjson'), parquet: path('parquet') };
  return [...(await compareForms(forms, entry.rows).catch((error: unknown) => [wordsOf(error)]))];
}

function signatureComplaints({ signature, ...entry }: ManifestEntry, keys: readonly VerifyingKey[]): readonly string[] {
  const key = keys.find((one) => one.kid === signature.key_id);
  if (!key)
    return [`it is signed by the key ${signature.key_id}, which is not among the ${keys.length} published ones`];
  const good = verify(
    null,
    Buffer.from(canonicalize(entry) ?? ''),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.x }, format: 'jwk' }),
    Buffer.from(signature.value, 'base64'),
  );
  return good ? [] : ['its signature does not fit the manifest: one of the two was changed'];
}

/** What is wrong with one file; null when nothing is. `plain`: hash of what it holds unpacked. */
async function fileComplaint(folder: string, file: File, plain: string | null): Promise<string | null> {
  // A name out of a manifest must not lead out of the folder.
  if (!/^[\w.-]+$/.test(file.name)) return 'the name is no file name';
  try {
    const told = await hashOf(createReadStream(join(folder, file.name)));
    if (told.bytes !== file.bytes) return `it has ${told.bytes} bytes, the manifest says ${file.bytes}`;
    if (told.sha256 !== file.sha256) return `its SHA-256 is ${told.sha256}, the manifest says ${file.sha256}`;
    if (file.encoding === 'identity') return null;
    const unpack = file.encoding === 'gzip' ? createGunzip() : createZstdDecompress();
    const packed = createReadStream(join(folder, file.name));
    packed.on('error', (error) => unpack.destroy(error));
    const unpacked = await hashOf(packed.pipe(unpack));
    return unpacked.sha256 === plain ? null : 'it does not hold what the unpacked file does';
  } catch (error) {
    return wordsOf(error);
  }
}

async function restatementComplaints(root: string, subject: string, entry: ManifestEntry): Promise<readonly string[]> {
  if (entry.restates === null) return [];
  const revision = entry.revision ?? 1;
  const older = await readEntry(join(root, subject, folderOf(entry.date, revision - 1)));
  if (older && plainFile(older, 'json')?.sha256 === entry.restates.sha256) return [];
  return [`it restates ${entry.restates.sha256}, which is not the JSON file of revision ${revision - 1}`];
}

async function hashOf(stream: Readable): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'it is missing' : message;
}
