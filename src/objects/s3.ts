import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { EvidenceUnavailable } from '../domain/index.ts';
import type { Upstream, UpstreamReply } from '../upstream/index.ts';

/** Location and credentials of a bucket. */
export interface BucketSettings {
  /** Without a slash at its end; https, or loopback. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
  /** The bucket is in the path, not in the host name. */
  readonly pathStyle: boolean;
}

/** A bucket of an object store with the S3 API. Every method throws `EvidenceUnavailable` on failure. */
export interface Bucket {
  /** Stores an object and reads it back; resolves when the stored object equals `bytes`. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Reads an object of at most `mostBytes` (or 64 KiB if that is more); null if it does not exist. */
  get(key: string, mostBytes: number): Promise<Uint8Array | null>;
  /** Deletes an object; succeeds also if it does not exist. */
  remove(key: string): Promise<void>;
}

/** Name of the store in budgets, circuit breakers and metrics. */
export const OBJECT_STORE = 'object-store';
const BUDGET = { perMinute: 6_000, burst: 600, concurrency: 16, shareSeconds: 0 };
const READ_MS = 15_000;
const WRITE_MS = 60_000;
/** Size limit of replies without an object, bytes. */
const MOST_REPLY_BYTES = 65_536;

/**
 * Opens a bucket through the one HTTP client, with its address guard, deadlines, size limits and circuit breaker;
 * redirects are not followed. Requests are signed by AWS Signature Version 4 with the hash of their body; the secret is
 * never sent.
 */
export function openBucket(
  settings: BucketSettings,
  upstream: Pick<Upstream, 'request' | 'setBudget'>,
  now: () => number,
): Bucket {
  upstream.setBudget(OBJECT_STORE, BUDGET);
  // Derived signing keys; they are valid for a day.
  const cache = new Map<string, ArrayBuffer>();

  async function ask(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { body = null, maxBytes = MOST_REPLY_BYTES }: { readonly body?: Uint8Array | null; readonly maxBytes?: number },
  ): Promise<UpstreamReply> {
    if (cache.size > MOST_DERIVED) cache.clear();
    const url = addressOf(settings, key);
    const contentHash = sha256(body ?? new Uint8Array());
    const signed = await new AwsV4Signer({
      method,
      url,
      headers: { 'x-amz-content-sha256': contentHash },
      accessKeyId: settings.keyId,
      secretAccessKey: settings.secret,
      service: 's3',
      region: settings.region,
      datetime: new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      cache,
    }).sign();
    const { authorization = '', ...headers } = Object.fromEntries(signed.headers);
    const totalMs = method === 'PUT' ? WRITE_MS : READ_MS;
    return upstream.request({
      label: OBJECT_STORE,
      trust: 'operator',
      method,
      url,
      headers,
      secretHeaders: { authorization },
      secretQuery: [],
      body,
      deadlines: { connectMs: 5_000, headersMs: totalMs, bodyMs: totalMs, totalMs },
      maxBytes,
      accept: [],
      okStatuses: [404],
      retries: 1,
      maxRedirects: 0,
      traceparent: null,
    });
  }

  const get: Bucket['get'] = async (key, mostBytes) => {
    // The error reply for a missing object may be longer than the object.
    const reply = succeeded(await ask('GET', key, { maxBytes: Math.max(mostBytes, MOST_REPLY_BYTES) }));
    return reply.status === 404 ? null : reply.body;
  };
  return {
    async put(key, bytes) {
      const reply = succeeded(await ask('PUT', key, { body: bytes }));
      if (reply.status === 404) throw new EvidenceUnavailable('The object store has no such bucket.');
      const back = await get(key, bytes.byteLength);
      if (back === null || sha256(back) !== sha256(bytes))
        throw new EvidenceUnavailable('The object store does not give back what was stored.');
    },
    get,
    async remove(key) {
      succeeded(await ask('DELETE', key, {}));
    },
  };
}

/** Most derived signing keys (one per region and day) in the cache. */
const MOST_DERIVED = 8;

function succeeded(reply: UpstreamReply): UpstreamReply & { readonly ok: true } {
  if (reply.ok) return reply;
  const why =
    reply.status === 403
      ? 'The object store refuses the key of the service.'
      : reply.status !== null && reply.status >= 300 && reply.status < 400
        ? 'The object store sends elsewhere: its address or region is another.'
        : 'The object store does not answer.';
  throw new EvidenceUnavailable(why, { cause: `${reply.reason}: ${reply.detail}` });
}

function addressOf({ endpoint, bucket, pathStyle }: BucketSettings, key: string): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}/${key}`;
  else {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${key}`;
  }
  return url.href;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
