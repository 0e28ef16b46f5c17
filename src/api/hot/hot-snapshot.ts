import { createHash } from 'node:crypto';
import type { StoredSnapshot } from '../../indexer/index.ts';
import { type Coding, LEAST_BYTES, pack } from './content-coding.ts';
import { entityTag } from './entity-tag.ts';

/** A reply that is ready to be sent. */
export interface ReadyReply {
  readonly bytes: Buffer;
  /**
   * The same bytes as a one-byte string, for small bodies: Node then sends head and body in one plain write, which is
   * cheaper than a gathered one. Null for large bodies.
   */
  readonly latin1: string | null;
  readonly coding: Coding;
  readonly etag: string;
  readonly length: string;
}

/** A cached, serialised snapshot. Complete except for the age, which is written into it each second. */
export interface HotSnapshot {
  readonly asOfMs: number;
  readonly storedAtMs: number;
  readonly hash: string;
  /** Size in the cache, including prepared replies. */
  readonly weight: number;
  ageSeconds(now: number): number;
  /** The reply as of `now`; built at most once a second. */
  reply(now: number): ReadyReply;
  /** The same, compressed. Small bodies are not compressed. */
  packed(now: number, coding: Exclude<Coding, 'identity'>): Promise<ReadyReply>;
}

/**
 * Takes the JSON of a stored snapshot and appends `data_mode` and `age_seconds` (whole seconds since `as_of`, never
 * below 0) as its last members. `body` must be a non-empty JSON object, as all snapshots are; anything else is a fault
 * of the store.
 */
export function hotSnapshot(stored: StoredSnapshot, dataMode: string): HotSnapshot {
  const added = `,"data_mode":${JSON.stringify(dataMode)},"age_seconds":`;
  return agingReply(
    Buffer.concat([openedObject(stored.body), Buffer.from(added)]),
    Date.parse(stored.asOf),
    Date.parse(stored.storedAt),
  );
}

/** A JSON object without its closing brace, so that members can be appended. */
export function openedObject(body: Uint8Array): Uint8Array {
  let end = body.length - 1;
  while (end > 0 && (body[end] ?? 0) <= 0x20) end -= 1;
  if (body[0] !== OPEN || body[end] !== CLOSE || end < 2) throw new Error('a stored record is not a JSON object');
  return body.subarray(0, end);
}

/** A reply in which only the age changes: `prefix` is the object up to the number of `age_seconds`. */
export function agingReply(prefix: Buffer, asOfMs: number, storedAtMs: number): HotSnapshot {
  const hash = createHash('sha256').update(prefix).digest('base64url').slice(0, 22);
  const ageSeconds = (now: number) => Math.max(0, Math.floor((now - asOfMs) / 1000));
  let current: ReadyReply | null = null;
  let currentAge = -1;
  let packedNow = new Map<Coding, Promise<ReadyReply>>();

  function reply(now: number): ReadyReply {
    const age = ageSeconds(now);
    if (current === null || age !== currentAge) {
      const bytes = Buffer.concat([prefix, Buffer.from(`${age}}`)]);
      current = readyReply(bytes, 'identity', entityTag(hash, age, 'identity'));
      currentAge = age;
      packedNow = new Map();
    }
    return current;
  }

  return {
    asOfMs,
    storedAtMs,
    hash,
    weight: prefix.length * 3 + 1_024,
    ageSeconds,
    reply,
    packed(now, coding) {
      const plain = reply(now);
      if (plain.bytes.length <= LEAST_BYTES) return Promise.resolve(plain);
      const age = currentAge;
      let made = packedNow.get(coding);
      if (!made) {
        made = pack(plain.bytes, coding).then((bytes) => readyReply(bytes, coding, entityTag(hash, age, coding)));
        packedNow.set(coding, made);
      }
      return made;
    },
  };
}

/** Node converts strings of up to 16 KiB, including the head, to bytes without an allocation. */
const MOST_AS_STRING = 15_000;

function readyReply(bytes: Buffer, coding: Coding, etag: string): ReadyReply {
  const latin1 = bytes.length <= MOST_AS_STRING ? bytes.toString('latin1') : null;
  return { bytes, latin1, coding, etag, length: String(bytes.length) };
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
