/** Backup, restore, doctor and migration of databases. */

export type { BackupSummary, OnProgress } from './backup/frames.ts';
export { LOOK_ONLY, type ReadFault, readBackup } from './backup/read.ts';
export { type RestoreFault, restoreBackup } from './backup/restore.ts';
export { type BackupFault, writeBackup } from './backup/write.ts';
export { type Examined, examine, type Probe } from './doctor/examine.ts';
export type { Finding } from './doctor/judgements.ts';
export type { MoveFault, MoveProgress, MoveSummary } from './migrate-to/ends.ts';
export { moveDatabase, PIECE_BYTES } from './migrate-to/move.ts';
