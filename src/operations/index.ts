/** Backup, restore, doctor and data in bulk. */
export { LOOK_ONLY, type ReadFault, readBackup } from './backup/read.ts';
export { type RestoreFault, restoreBackup } from './backup/restore.ts';
export type { BackupSummary, OnProgress } from './backup/types.ts';
export { type BackupFault, writeBackup } from './backup/write.ts';
export { examine } from './doctor/examine.ts';
export type { Finding } from './doctor/finding.ts';
export type { Probe } from './doctor/outside.ts';
export { moveDatabase, PIECE_BYTES } from './migrate-to/move.ts';
export type { MoveFault, MoveProgress, MoveSummary } from './migrate-to/types.ts';
