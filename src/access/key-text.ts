import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY = 26;
const CHECK = 6;
const PREFIX = 'ak_live_';

/** A new key: `ak_live_<26 base62>_<6 base62 crc>`; 154 random bits. `random` gives unbiased bytes. */
export function newKeyText(random: (bytes: number) => Uint8Array): string {
  let body = '';
  while (body.length < BODY) {
    // 248 = 4 x 62: bytes above would make some letters likelier.
    for (const byte of random(BODY)) if (byte < 248 && body.length < BODY) body += ALPHABET[byte % 62];
  }
  return `${PREFIX}${body}_${checkOf(body)}`;
}

/** True when the text is written like a key and its checksum fits: a typo is caught without asking the store. */
export function isKeyText(text: string): boolean {
  const match = /^ak_live_([0-9A-Za-z]{26})_([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checkOf(match[1] ?? '') === match[2];
}

/** What is stored of a key. */
export function hashOfKey(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The part of a key that may be shown. */
export function shownPrefix(text: string): string {
  return text.slice(0, PREFIX.length + 4);
}

function checkOf(body: string): string {
  let rest = crc32(PREFIX + body);
  let text = '';
  for (let i = 0; i < CHECK; i += 1) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
