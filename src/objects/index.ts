/**
 * The operator's object store: old evidence is moved there and read from there (docs/decisions/0051-object-store.md).
 */

export { readMovedFrom } from './moved-evidence.ts';
export { startMover } from './mover.ts';
export { type Bucket, openBucket } from './s3.ts';
