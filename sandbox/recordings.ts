import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

/** One recorded reply and the requests it matches. The first matching entry wins. */
export interface ReplayEntry {
  readonly source: string;
  /** Default `main`. */
  readonly base?: string;
  readonly method: 'GET' | 'POST';
  /** Path below the base; `*` matches any characters. */
  readonly path: string;
  /** Required query parameters with their values; others are ignored. */
  readonly query?: Readonly<Record<string, string>>;
  /** Texts that the request body must hold (a JSON-RPC method, an address). */
  readonly bodyContains?: readonly string[];
  /** Inside the folder. */
  readonly file: string;
  readonly format?: 'raw' | 'gz' | 'vcr-yaml' | 'solana-account';
  /** JSON pointer (RFC 6901) to the body inside the file. */
  readonly pointer?: string;
  /** Which interaction of a cassette; default 0. */
  readonly interaction?: number;
  /** Default: the cassette's own, else 200. */
  readonly status?: number;
}

export interface RecordedBody {
  readonly bytes: Buffer;
  readonly status: number;
  readonly contentType: string;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the body of an entry of the index from a plain file, a gzip file or a VCR cassette. */
export async function readRecording(folder: string, entry: ReplayEntry): Promise<RecordedBody> {
  const path = await inside(folder, entry.file);
  const file = await readFile(path);
  const found = readFormat(file, entry);
  if (entry.pointer === undefined) return found;
  const value = atPointer(JSON.parse(found.bytes.toString('utf8')), entry.pointer);
  if (value === undefined) throw new Error(`${entry.file}: nothing at ${entry.pointer}`);
  // A body that was stored as text is served as that text.
  return { ...found, bytes: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) };
}

function readFormat(file: Buffer, entry: ReplayEntry): RecordedBody {
  if (entry.format === 'vcr-yaml') return fromCassette(file, entry);
  if (entry.format === 'solana-account') return plain(accountReply(file, entry));
  return plain(entry.format === 'gz' ? gunzip(file) : file);
}

/**
 * An account as `solana account --output json` and test validators keep it (`{pubkey, account}`), as the reply to
 * `getAccountInfo`. A dump does not say at which slot it was taken: slot 0.
 */
function accountReply(file: Buffer, entry: ReplayEntry): Buffer {
  const { account } = JSON.parse(file.toString('utf8')) as { readonly account?: unknown };
  if (typeof account !== 'object' || account === null) throw new Error(`${entry.file}: no account in it`);
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { context: { slot: 0 }, value: account } }));
}

/** An index is untrusted: it may not refer to files outside its folder, by `..` or by a link. */
async function inside(folder: string, file: string): Promise<string> {
  const root = await realpath(folder);
  const path = await realpath(join(root, file));
  if (!path.startsWith(root + sep)) throw new Error(`${file}: outside the folder`);
  return path;
}

function gunzip(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
}

function plain(bytes: Buffer): RecordedBody {
  const first = bytes.subarray(0, 64).toString('utf8').trimStart();
  const type = first.startsWith('<') ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  return { bytes, status: 200, contentType: type };
}

interface CassetteResponse {
  readonly status?: number | { readonly code?: number };
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content_type?: string;
  readonly body?: string | Uint8Array | { readonly string?: string | Uint8Array; readonly base64_string?: string };
}

// Ruby's psych writes the local tag `!binary` where YAML says `!!binary`.
const RUBY_BINARY = {
  tag: '!binary',
  resolve: (text: string) => Buffer.from(text, 'base64'),
};

/** Cassettes of Ruby's VCR (`http_interactions`), Python's vcrpy (`interactions`) and `responses` (`responses`). */
function fromCassette(file: Buffer, entry: ReplayEntry): RecordedBody {
  const cassette = parse(file.toString('utf8'), { customTags: [RUBY_BINARY] }) as Readonly<
    Record<string, readonly { readonly response?: CassetteResponse }[]>
  >;
  const list = cassette.http_interactions ?? cassette.interactions ?? cassette.responses ?? [];
  const response = list[entry.interaction ?? 0]?.response;
  if (!response) throw new Error(`${entry.file}: no interaction ${entry.interaction ?? 0}`);
  const bytes = bodyBytes(response);
  const { status } = response;
  return {
    ...plain(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzip(bytes) : bytes),
    status: typeof status === 'number' ? status : (status?.code ?? 200),
  };
}

function bodyBytes({ body }: CassetteResponse): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (body?.base64_string !== undefined) return Buffer.from(body.base64_string, 'base64');
  return typeof body?.string === 'string' ? Buffer.from(body.string, 'utf8') : Buffer.from(body?.string ?? []);
}

function atPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return at;
}
