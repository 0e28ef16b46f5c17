import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `account`: manages the keys of its own account; `admin`: everything, of all accounts. */
export const SCOPES = ['score', 'rms:read', 'rms:write', 'chain:read', 'account', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** An API key as it may be shown: never the key itself. */
export interface ApiKey {
  readonly id: string;
  /** Whose watchlist, alerts, webhooks and usage it reaches. Several keys may share one. */
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly plan: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly allowedIps: readonly string[];
  /** The key that this one replaces during the overlap period. */
  readonly rotatedFrom: string | null;
}

export interface NewApiKey {
  readonly name: string;
  /** `acc_...` of other keys to share with; null gives the key an account of its own. */
  readonly accountId: string | null;
  readonly scopes: readonly Scope[];
  readonly plan: string;
  readonly expiresAt: string | null;
  readonly allowedIps: readonly string[];
}

export type AuthFailure =
  | {
      readonly code: 'missing_api_key' | 'invalid_api_key' | 'expired_api_key' | 'ip_not_allowed';
      readonly detail: string;
    }
  | { readonly code: 'too_many_wrong_keys'; readonly detail: string; readonly retryAfterSeconds: number };

export type AuthOutcome = { readonly ok: true; readonly key: ApiKey } | ({ readonly ok: false } & AuthFailure);

export type Rotation =
  | { readonly ok: true; readonly key: ApiKey; readonly secret: string }
  /** Unknown, revoked or expired. */
  | { readonly ok: false; readonly code: 'key_not_found' }
  | { readonly ok: false; readonly code: 'key_already_rotated'; readonly successorId: string };

export interface AccessService {
  /**
   * `text` is the header's value or null. Typos are caught by the checksum without a store look-up. What was looked up within
   * the last second is returned at once, without a promise, which would cost a hot read time.
   */
  authenticate(text: string | null, ip: string): AuthOutcome | Promise<AuthOutcome>;
  create(key: NewApiKey): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  /** The same within an account that has fewer than `most` keys that work; null when it has as many. */
  createWithin(
    key: NewApiKey & { readonly accountId: string },
    most: number,
  ): Promise<{
    readonly key: ApiKey;
    readonly secret: string;
  } | null>;
  listOf(accountId: string): Promise<readonly ApiKey[]>;
  /**
   * New secret with the same rights, account and end; the old one ends after `overlapSeconds`. A key has one live successor at
   * most: while there is one, however many requests come at the same time, it cannot be rotated again (`key_already_rotated`).
   */
  rotate(id: string, overlapSeconds: number): Promise<Rotation>;
  revoke(id: string): Promise<boolean>;
  /** Creates the first admin key if there is none; the secret is returned once, else null. */
  bootstrap(): Promise<string | null>;
}

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

/** True when the text is written like a key and its checksum fits: a typo is caught without a read of the store. */
export function isKeyText(text: string): boolean {
  const match = /^ak_live_([0-9A-Za-z]{26})_([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checkOf(match[1] ?? '') === match[2];
}

/** The stored fields of a key. */
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
