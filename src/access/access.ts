import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { isAllowedFrom, readAddress, type TrustedProxies } from '../domain/index.ts';
import {
  type ApiKeyRow,
  allKeys,
  type Database,
  insertFirstKey,
  insertKey,
  insertKeyWithin,
  keyBySecret,
  keysOfAccount,
  replaceKey,
  revokeKey,
  touchKey,
} from '../store/index.ts';
import {
  type AccessService,
  type ApiKey,
  type AuthOutcome,
  hashOfKey,
  isKeyText,
  type NewApiKey,
  newKeyText,
  SCOPES,
  type Scope,
  shownPrefix,
} from './keys.ts';

/** Time for which a process may still accept a key that another process revoked. */
const BELIEVE_MS = 1_000;
/** Time for which a known valid key is accepted while the store does not reply, so that reads from memory continue. */
const BELIEVE_AWAY_MS = 60_000;
const TOUCH_MS = 60_000;
const KEY_PREFIX = 'key_';
const KEY_ID = /^key_[A-Za-z0-9]{1,40}$/;
const MOST_REMEMBERED = 10_000;

interface Belief {
  readonly row: ApiKeyRow | null;
  readonly key: ApiKey | null;
  /** Milliseconds of `elapsed`. */
  readonly until: number;
}

/**
 * Keys in the store. `now`: wall clock in milliseconds, used to date keys and to expire them. `random`: secure random
 * bytes. `elapsed`: milliseconds of a monotonic clock, by which lookups expire, so that setting back the wall clock
 * does not keep a revoked key valid.
 */
export function createAccess(
  db: Database,
  now: () => number,
  random: (bytes: number) => Uint8Array,
  elapsed: () => number = () => performance.now(),
): AccessService {
  const believed = new LRUCache<string, Belief>({ max: MOST_REMEMBERED });
  const asking = new Map<string, Promise<Belief>>();
  const touched = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const wrong = createWrongKeys(elapsed);
  /**
   * Texts of keys that were found. They are cached longer than the lookup results, and guesses cannot fill this cache.
   */
  const familiar = new LRUCache<string, true>({ max: MOST_REMEMBERED });

  /** Looks up a key. Only texts with a valid checksum are looked up, so that guesses do not fill the cache. */
  async function ask(text: string): Promise<Belief> {
    // Taken before the query, so that the cached state is never considered newer than it is.
    const until = elapsed() + BELIEVE_MS;
    const row = (await keyBySecret(db, hashOfKey(text))) ?? null;
    const belief = { row, key: row && toKey(row), until };
    if (row) familiar.set(text, true);
    believed.set(text, belief);
    return belief;
  }

  /** Concurrent requests for the same key share one lookup. */
  function lookUpOnce(text: string): Promise<Belief> {
    let asked = asking.get(text);
    if (!asked) {
      asked = ask(text).finally(() => asking.delete(text));
      asking.set(text, asked);
    }
    return asked;
  }

  function judge({ row, key }: Belief, ip: string): AuthOutcome {
    if (!row || !key || row.revoked_at !== null) {
      if (!row) wrong.note(ip);
      return { ok: false, code: 'invalid_api_key', detail: 'No active key fits.' };
    }
    if (row.expires_at !== null && Date.parse(row.expires_at) <= now())
      return { ok: false, code: 'expired_api_key', detail: `The key expired at ${row.expires_at}.` };
    if (!isAllowedFrom(ip, row.allowed_ips))
      return { ok: false, code: 'ip_not_allowed', detail: 'The key is limited to other addresses.' };
    touch(row.id);
    return { ok: true, key };
  }

  function touch(id: string): void {
    const at = elapsed();
    if (at - (touched.get(id) ?? Number.NEGATIVE_INFINITY) < TOUCH_MS) return;
    touched.set(id, at);
    // Best effort: recording the use of a key must never fail a request.
    touchKey(db, id, new Date(now()).toISOString()).catch(() => touched.delete(id));
  }

  function rowFor(key: NewApiKey, rotatedFrom: string | null): { readonly row: ApiKeyRow; readonly secret: string } {
    const secret = newKeyText(random);
    const id = `${KEY_PREFIX}${Buffer.from(random(9)).toString('base64url').replace(/[-_]/g, 'x')}`;
    const row: ApiKeyRow = {
      id,
      secret_sha256: hashOfKey(secret),
      prefix: shownPrefix(secret),
      name: key.name,
      scopes: [...key.scopes],
      plan: key.plan,
      allowed_ips: [...key.allowedIps],
      created_at: new Date(now()).toISOString(),
      expires_at: key.expiresAt,
      revoked_at: null,
      last_used_at: null,
      rotated_from: rotatedFrom,
      account_id: key.accountId ?? `acc_${id.slice(KEY_PREFIX.length)}`,
    };
    return { row, secret };
  }

  return {
    authenticate(text, ip) {
      if (text === null || text === '')
        return { ok: false, code: 'missing_api_key', detail: 'Send a key in the header X-API-Key.' };
      const belief = believed.get(text);
      // A known key is never blocked by the attempts of others.
      const silent = familiar.has(text) ? null : wrong.blockedSeconds(ip);
      if (silent !== null)
        return {
          ok: false,
          code: 'too_many_wrong_keys',
          detail: `This address sent too many wrong keys; it may try again in ${silent} s.`,
          retryAfterSeconds: silent,
        };
      if (belief === undefined && !isKeyText(text)) {
        wrong.note(ip);
        return {
          ok: false,
          code: 'invalid_api_key',
          detail: 'This is not a key: the form or the checksum is wrong (expected ak_live_...). Is it complete?',
        };
      }
      if (belief !== undefined && belief.until > elapsed()) return judge(belief, ip);
      return lookUpOnce(text).then(
        (fresh) => judge(fresh, ip),
        (error: unknown) => {
          if (belief === undefined || elapsed() - belief.until > BELIEVE_AWAY_MS) throw error;
          return judge(belief, ip);
        },
      );
    },
    async create(key) {
      const { row, secret } = rowFor(key, null);
      await insertKey(db, row);
      return { key: toKey(row), secret };
    },
    async createWithin(key, most) {
      const { row, secret } = rowFor(key, null);
      return (await insertKeyWithin(db, row, most)) ? { key: toKey(row), secret } : null;
    },
    async list() {
      return (await allKeys(db)).map(toKey);
    },
    async listOf(accountId) {
      return (await keysOfAccount(db, accountId)).map(toKey);
    },
    async rotate(id, overlapSeconds) {
      if (!KEY_ID.test(id)) return { ok: false, code: 'key_not_found' };
      let secret = '';
      const at = now();
      const replaced = await replaceKey(db, id, {
        at: new Date(at).toISOString(),
        endOld: new Date(at + overlapSeconds * 1000).toISOString(),
        successor(old, expiresAt) {
          const made = rowFor({ ...toKey(old), expiresAt }, id);
          secret = made.secret;
          return made.row;
        },
      });
      if (replaced.outcome === 'not_found') return { ok: false, code: 'key_not_found' };
      if (replaced.outcome === 'replaced_before')
        return { ok: false, code: 'key_already_rotated', successorId: replaced.successor.id };
      believed.clear();
      return { ok: true, key: toKey(replaced.successor), secret };
    },
    async revoke(id) {
      const done = KEY_ID.test(id) && (await revokeKey(db, id, new Date(now()).toISOString()));
      believed.clear();
      return done;
    },
    async bootstrap() {
      const { row, secret } = rowFor(
        { name: 'first admin key', accountId: null, scopes: SCOPES, plan: 'INTERNAL', expiresAt: null, allowedIps: [] },
        null,
      );
      return (await insertFirstKey(db, row)) ? secret : null;
    },
  };
}

function toKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    plan: row.plan,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    allowedIps: row.allowed_ips,
    rotatedFrom: row.rotated_from,
  };
}

/** Maximum wrong keys per address and minute; a client with a typo sends a few. */
const MOST_A_MINUTE = 300;
const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/**
 * Counts wrong keys by client address, so that guessing does not cause load. `now` in milliseconds. IPv6 addresses are
 * counted by /64, the block that one customer gets.
 */
export function createWrongKeys(now: () => number) {
  const counts = new LRUCache<string, { count: number; readonly until: number }>({ max: MOST_ADDRESSES });
  const current = (place: string) => {
    const known = counts.get(place);
    return known && known.until > now() ? known : undefined;
  };
  return {
    note(ip: string): void {
      const place = placeOf(ip);
      const known = current(place);
      if (known) known.count += 1;
      else counts.set(place, { count: 1, until: now() + MINUTE_MS });
    },
    /** Seconds until the address may try unknown keys again; null if it may now. */
    blockedSeconds(ip: string): number | null {
      const known = current(placeOf(ip));
      return known && known.count >= MOST_A_MINUTE ? Math.ceil((known.until - now()) / 1_000) : null;
    },
  };
}

function placeOf(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':');
  // Number of zero groups that `::` replaces.
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')]
    .slice(0, 4)
    .join(':');
}

/** Used for a client address that a trusted proxy passed on in an invalid form: no allow-list contains it. */
const UNREADABLE_ADDRESS = 'unreadable';

/**
 * The client address of a request (docs/decisions/0027-trusted-proxies.md). The address of the connection, then the
 * entries of `X-Forwarded-For` from right to left, are the proxies that the request passed, nearest first. The first
 * address that is not a trusted proxy is the client. Entries written by the client itself are further left and are
 * never read, provided that every trusted proxy appends.
 */
export function clientAddressReader(trusted: TrustedProxies): (request: IncomingMessage) => string {
  if (trusted === false) return ({ socket }) => socket.remoteAddress ?? '';
  const isProxy =
    typeof trusted === 'number'
      ? (_address: string, hop: number) => hop < trusted
      : (address: string) => trusted.length > 0 && isAllowedFrom(address, trusted);
  return ({ socket, headers }) => {
    const given = headers['x-forwarded-for'];
    const passed = given === undefined ? [] : String(given).split(',');
    let address = socket.remoteAddress ?? '';
    for (let hop = 0; hop < passed.length && isProxy(address, hop); hop += 1)
      address = addressIn(passed[passed.length - 1 - hop] ?? '');
    return address;
  };
}

/** The address of an entry; some proxies add the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
function addressIn(entry: string): string {
  const text = entry.trim();
  // Nearly every entry is already canonical.
  if (isIPv4(text)) return text;
  const bare = /^\[(.+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return readAddress(bare)?.toString() ?? UNREADABLE_ADDRESS;
}
