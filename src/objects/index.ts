/** The operator's object store: old evidence is moved there and read from there (docs/decisions/0051-object-store.md). */

export { type Moved, type MoveOptions, moveOldEvidence, readMovedFrom } from './moved-evidence.ts';
export { type Mover, startMover } from './mover.ts';
export { type Bucket, type BucketSettings, OBJECT_STORE, openBucket } from './s3.ts';
