/** The append-only log of published ratings: its trees, checkpoints and proofs, and their verification. */
export { type NoteKey, readWitnessKey } from './checkpoint.ts';
export { openLog, type TransparencyLog } from './log.ts';
export { recordHash } from './tiles.ts';
export { type LogComplaint, type LogReader, type VerifierState, verifyLog } from './verify.ts';
