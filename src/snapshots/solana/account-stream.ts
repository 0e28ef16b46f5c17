import { ACCOUNT_WORDS } from './owner-sums.ts';

/** Why a reply does not have the requested form. */
export class MalformedReply extends Error {}

/** Reads token-account slices out of a getProgramAccounts reply of any length, piece by piece. */
export interface AccountStream {
  /**
   * Reads the `length` bytes of a piece that begin at `LEAD_BYTES`; the bytes before them are overwritten. The piece may
   * be reused afterwards. Throws `MalformedReply`.
   */
  read(piece: Uint8Array, length: number): void;
  /** End of the reply: reads what is left; throws `MalformedReply`. The next piece begins another reply. */
  end(): void;
  /** Ends in the middle of a reply: copy of the bytes that were not yet read because the field around them is incomplete. */
  handOver(): Uint8Array;
}

/** Base64 of 40 bytes: owner and amount. */
const SLICE_CHARACTERS = 56;
const KEY = Buffer.from('"data"');
/** 1 for bytes that occur in the key. */
const IS_OF_KEY = new Uint8Array(256);
for (const byte of KEY) IS_OF_KEY[byte] = 1;
/** The format in which every known node writes the field, after the key. */
const COMPACT = Buffer.from(':["');
/** Longest text between the key and the end of its array, including whitespace and escapes. */
const LONGEST_FIELD = 1_024;
/** Accounts per batch: the memory that their sums use fits into a core's second-level cache. */
const BATCH = 1_024;
/** Space before the bytes of a piece, where the bytes that were left of the piece before are placed. */
export const LEAD_BYTES = 2 * LONGEST_FIELD;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * `onAccounts` gets batches of accounts, `ACCOUNT_WORDS` words each (owner in eight, amount in two, least byte first);
 * the array is reused. No object is created per account: the field `"data"` is found by its bytes, and its base64 is
 * decoded directly into words. Other fields are ignored; the supply shows whether all accounts arrived. `before`: what
 * another reader of the same reply had left.
 */
export function createAccountStream(
  onAccounts: (words: Uint32Array, count: number) => void,
  before: Uint8Array = new Uint8Array(0),
): AccountStream {
  const batch = new Uint32Array(BATCH * ACCOUNT_WORDS);
  const rest = Buffer.alloc(LEAD_BYTES);
  rest.set(before);
  let kept = before.length;
  let waiting = 0;

  function flush(): void {
    if (waiting > 0) onAccounts(batch, waiting);
    waiting = 0;
  }

  /** Reads all complete fields; returns the number of bytes that were processed, all but fewer than `LEAD_BYTES`. */
  function fieldsOf(region: Buffer, last: boolean): number {
    const filled = region.length;
    let position = 0;
    for (;;) {
      const found = findKey(region, position);
      if (found === -1) return last ? filled : Math.max(position, filled - (KEY.length - 1));
      const after = found + KEY.length;
      if (filled - after < LONGEST_FIELD && !last) return found;
      const value = after + COMPACT.length;
      const end = value + SLICE_CHARACTERS;
      if (isCompact(region, after) && region[end] === QUOTE && decode(region, value, batch, waiting * ACCOUNT_WORDS)) {
        position = end + 1;
      } else {
        const next = readLoose(region, after, batch, waiting * ACCOUNT_WORDS);
        if (next === null) {
          position = after;
          continue;
        }
        position = next;
      }
      waiting += 1;
      if (waiting === BATCH) flush();
    }
  }

  return {
    read(piece, length) {
      const whole = Buffer.from(piece.buffer, piece.byteOffset, LEAD_BYTES + length);
      rest.copy(whole, LEAD_BYTES - kept, 0, kept);
      const region = whole.subarray(LEAD_BYTES - kept);
      kept = region.copy(rest, 0, fieldsOf(region, false));
    },
    end() {
      fieldsOf(rest.subarray(0, kept), true);
      flush();
      kept = 0;
    },
    handOver() {
      flush();
      return Uint8Array.from(rest.subarray(0, kept));
    },
  };
}

/**
 * Position of the next `"data"`; -1 when there is none. Every sixth byte is examined: one of them lies in any key, and
 * its value gives the position where the key would begin. No step depends on the one before it, unlike jumps read from
 * a table (Horspool 1980), which take twice as long; Buffer.indexOf takes three times as long.
 */
function findKey(region: Buffer, from: number): number {
  for (let at = from + KEY.length - 1; at < region.length; at += KEY.length) {
    const byte = region[at] as number;
    if (IS_OF_KEY[byte] === 0) continue;
    if (byte === QUOTE) {
      if (isKey(region, at - 5)) return at - 5;
      if (isKey(region, at)) return at;
    } else if (byte === 0x61) {
      if (isKey(region, at - 4)) return at - 4;
      if (isKey(region, at - 2)) return at - 2;
    } else if (byte === 0x74) {
      if (isKey(region, at - 3)) return at - 3;
    } else if (isKey(region, at - 1)) return at - 1;
  }
  return -1;
}

function isKey(region: Buffer, at: number): boolean {
  return (
    region[at] === QUOTE &&
    region[at + 1] === 0x64 &&
    region[at + 2] === 0x61 &&
    region[at + 3] === 0x74 &&
    region[at + 4] === 0x61 &&
    region[at + 5] === QUOTE
  );
}

function isCompact(region: Buffer, at: number): boolean {
  return region[at] === 0x3a && region[at + 1] === 0x5b && region[at + 2] === QUOTE;
}

/**
 * The same field with whitespace or escapes in it. Null when this `"data"` is not a key but a value. Throws when it is
 * a key and does not hold 40 bytes of base64.
 */
function readLoose(region: Buffer, at: number, into: Uint32Array, offset: number): number | null {
  let position = skipSpace(region, at);
  if (region[position] !== 0x3a) return null;
  position = skipSpace(region, position + 1);
  if (region[position] !== 0x5b) throw new MalformedReply('an account whose data is not base64');
  position = skipSpace(region, position + 1);
  if (region[position] !== QUOTE) throw new MalformedReply('an account whose data is not base64');
  let end = position + 1;
  while (end < region.length && region[end] !== QUOTE) end += region[end] === BACKSLASH ? 2 : 1;
  if (end >= region.length || end - position > LONGEST_FIELD)
    throw new MalformedReply('the data of an account does not end');
  const text = textOf(region.subarray(position, end + 1));
  if (text.length !== SLICE_CHARACTERS || !decode(Buffer.from(text, 'latin1'), 0, into, offset))
    throw new MalformedReply('an account whose data is not the 40 bytes that were asked for');
  return end + 1;
}

function textOf(quoted: Buffer): string {
  try {
    return String(JSON.parse(quoted.toString('utf8')));
  } catch {
    throw new MalformedReply('a string that is not JSON');
  }
}

function skipSpace(region: Buffer, from: number): number {
  let position = from;
  while (
    region[position] === 0x20 ||
    region[position] === 0x0a ||
    region[position] === 0x0d ||
    region[position] === 0x09
  )
    position += 1;
  return position;
}

const SIXBITS = new Uint8Array(256).fill(64);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  SIXBITS[character.charCodeAt(0)] = value;

/** Decodes 56 characters of base64 into ten little-endian words. False when they are not base64 of 40 bytes. */
function decode(from: Buffer, at: number, into: Uint32Array, offset: number): boolean {
  let seen = 0;
  let source = at;
  let target = offset;
  // Sixteen characters are twelve bytes, or three words: three such groups, then eight characters with two of padding.
  for (let group = 0; group < 3; group += 1) {
    const a = quad(from, source);
    const b = quad(from, source + 4);
    const c = quad(from, source + 8);
    const d = quad(from, source + 12);
    seen |= a | b | c | d;
    into[target] = swap((a << 8) | ((b >>> 16) & 0xff));
    into[target + 1] = swap(((b & 0xffff) << 16) | ((c >>> 8) & 0xffff));
    into[target + 2] = swap(((c & 0xff) << 24) | (d & 0xff_ffff));
    source += 16;
    target += 3;
  }
  const a = quad(from, source);
  const first = SIXBITS[from[source + 4] as number] as number;
  const second = SIXBITS[from[source + 5] as number] as number;
  if (from[source + 6] !== 0x3d || from[source + 7] !== 0x3d) return false;
  into[target] = swap((a << 8) | ((first << 2) & 0xff) | (second >>> 4));
  return seen >= 0 && a >= 0 && first < 64 && second < 64;
}

/** Four characters as 24 bits; negative when one of them is not base64. */
function quad(from: Buffer, at: number): number {
  const a = SIXBITS[from[at] as number] as number;
  const b = SIXBITS[from[at + 1] as number] as number;
  const c = SIXBITS[from[at + 2] as number] as number;
  const d = SIXBITS[from[at + 3] as number] as number;
  return ((a | b | c | d) & 64) === 0 ? (a << 18) | (b << 12) | (c << 6) | d : -1;
}

function swap(word: number): number {
  return ((word >>> 24) | ((word >>> 8) & 0xff00) | ((word << 8) & 0xff_0000) | (word << 24)) >>> 0;
}
