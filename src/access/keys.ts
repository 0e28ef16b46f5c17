import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `account`: manages the keys of its own account; `admin`: may do everything, for all accounts. */
export const SCOPES = ['score', 'rms:read', 'rms:write', 'chain:read', 'account', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** An API key in the form that may be shown: without the secret. */
export interface ApiKey {
  readonly id: string;
  /** The account whose watchlist, alerts, webhooks and usage the key can access. Several keys may share one account. */
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
  /** The key that this one replaces; both are valid during the overlap period. */
  readonly rotatedFrom: string | null;
}

export interface NewApiKey {
  readonly name: string;
  /** Account (`acc_...`) to share with other keys; null creates a new account for the key. */
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
   * `text` is the header's value or null. The checksum detects typos without a store lookup. A result cached within the
   * last second is returned synchronously, because a promise would slow down a hot read.
   */
  authenticate(text: string | null, ip: string): AuthOutcome | Promise<AuthOutcome>;
  create(key: NewApiKey): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  list(): Promise<readonly ApiKey[]>;
  /** The same, for an account with fewer than `most` active keys; null when it already has that many. */
  createWithin(
    key: NewApiKey & { readonly accountId: string },
    most: number,
  ): Promise<{
    readonly key: ApiKey;
    readonly secret: string;
  } | null>;
  listOf(accountId: string): Promise<readonly ApiKey[]>;
  /**
   * Creates a new secret with the same rights, account and expiry; the old one expires after `overlapSeconds`. A key
   * has at most one active successor: while it has one, it cannot be rotated again, not even by concurrent requests
   * (`key_already_rotated`).
   */
  rotate(id: string, overlapSeconds: number): Promise<Rotation>;
  revoke(id: string): Promise<boolean>;
  /** Creates the first admin key if there is none and returns its secret once; otherwise null. */
  bootstrap(): Promise<string | null>;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY = 26;
const CHECK = 6;
const PREFIX = 'ak_live_';

/** A new key: `ak_live_<26 base62>_<6 base62 crc>`; 154 random bits. `random` must return unbiased bytes. */
export function newKeyText(random: (bytes: number) => Uint8Array): string {
  let body = '';
  while (body.length < BODY) {
    // 248 = 4 x 62: larger bytes would make some characters more likely.
    for (const byte of random(BODY)) if (byte < 248 && body.length < BODY) body += ALPHABET[byte % 62];
  }
  return `${PREFIX}${body}_${checkOf(body)}`;
}

/**
 * True when the text has the format of a key and a valid checksum, so that a typo is detected without a store lookup.
 */
export function isKeyText(text: string): boolean {
  const match = /^ak_live_([0-9A-Za-z]{26})_([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checkOf(match[1] ?? '') === match[2];
}

/** Hash of a key, as stored. */
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
