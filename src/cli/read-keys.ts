import { open } from 'node:fs/promises';
import type { Result } from '../domain/index.ts';
import type { VerifyingKey } from '../exports/index.ts';

const MOST_BYTES = 1 << 20;
const DEADLINE_MS = 10_000;

/** Published keys (`/.well-known/assay-keys.json`) out of a file, or from where they are served. */
export async function readKeys(place: string): Promise<Result<readonly VerifyingKey[], { readonly detail: string }>> {
  let text: string;
  try {
    text = /^https?:\/\//.test(place) ? await fetchText(place) : await readText(place);
  } catch (error) {
    return { ok: false, detail: `the keys of ${place} could not be read: ${(error as Error).message}` };
  }
  const keys = keysOf(text);
  return keys === null
    ? { ok: false, detail: `${place} holds no keys: expected {"keys": [{"kid": ..., "x": ...}]}` }
    : { ok: true, value: keys };
}

function keysOf(text: string): readonly VerifyingKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.every(isKey) ? keys : null;
  } catch {
    return null;
  }
}

function isKey(key: unknown): key is VerifyingKey {
  const { kid, x } = (key ?? {}) as Readonly<Record<string, unknown>>;
  return typeof kid === 'string' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
}

async function fetchText(url: string): Promise<string> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'error' });
  if (!reply.ok) throw new Error(`it answers ${reply.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('it is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readText(path: string): Promise<string> {
  const file = await open(path);
  try {
    if ((await file.stat()).size > MOST_BYTES) throw new Error('it is too long');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
