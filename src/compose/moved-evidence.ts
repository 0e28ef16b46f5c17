import type { Config } from '../config/index.ts';
import { type Bucket, openBucket, readMovedFrom } from '../objects/index.ts';
import { noObjectStore, type ReadMoved } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';

/** The operator's object store, as far as it is configured. */
export interface MovedEvidence {
  readonly readMoved: ReadMoved;
  /** Null: none is configured, and nothing moves. */
  readonly bucket: Bucket | null;
  /** Prefix of this installation's keys. Fictional and real evidence never share a folder. */
  readonly prefix: string;
}

/** Opens the object store of the settings. Nothing is asked yet. */
export function openMovedEvidence(
  config: Config,
  upstream: Pick<Upstream, 'request' | 'setBudget'>,
  now: () => number,
): MovedEvidence {
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
    now,
  );
  return { readMoved: readMovedFrom(bucket), bucket, prefix };
}
