import type { Config } from '../config/index.ts';
import { type Bucket, openBucket, readMovedFrom } from '../objects/index.ts';
import { noObjectStore, type ReadMoved } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';

/** The operator's object store, if one is configured. */
export interface MovedEvidence {
  readonly readMoved: ReadMoved;
  /** Null: none is configured, and no evidence is moved. */
  readonly bucket: Bucket | null;
  /** Prefix of this installation's keys. Sandbox and live evidence have different prefixes. */
  readonly prefix: string;
}

/**
 * Opens the configured object store. Sends no request yet. Requests are dated by the system clock even where ratings
 * have another (a sandbox in the past), because the store refuses a request whose time is minutes off.
 */
export function openMovedEvidence(config: Config, upstream: Pick<Upstream, 'request' | 'setBudget'>): MovedEvidence {
  const prefix = `${config.objectStorePrefix}${config.dataMode}/`;
  const { objectStoreUrl: endpoint, objectStoreBucket: name, objectStoreKeyId: keyId, objectStoreSecret } = config;
  if (endpoint === null || name === null || keyId === null || objectStoreSecret === null)
    return { readMoved: noObjectStore, bucket: null, prefix };
  const bucket = openBucket(
    {
      endpoint,
      bucket: name,
      region: config.objectStoreRegion,
      keyId,
      secret: objectStoreSecret,
      pathStyle: config.objectStorePathStyle,
    },
    upstream,
    Date.now,
  );
  return { readMoved: readMovedFrom(bucket), bucket, prefix };
}
