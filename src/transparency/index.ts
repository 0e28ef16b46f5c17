/** The append-only log of published ratings: its trees, checkpoints and proofs, and their verification. */
export { auditRecords } from './audit.ts';
export { readWitnessKey } from './checkpoint.ts';
export { openLog, type TransparencyLog } from './log.ts';
export { signedBytes, whyNotLogged } from './proof.ts';
export type { LogEntry } from './tiles.ts';
export { type LogReader, type VerifierState, verifyLog } from './verify.ts';
