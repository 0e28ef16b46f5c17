/** Verifies sources against known facts, and detects when their values change their meaning. */
export { type Adopted, adoptBundle, type Recorded, withStated, writeBundle } from './bundle.ts';
export { type Canaries, createCanaries, type DriftEvent } from './canaries.ts';
export { capacityOf, isLocal } from './capacity.ts';
export { DRIFT_RULES } from './drift.ts';
export type { Finding } from './finding.ts';
export { builtInPanel, type Panel, readPanel, readPanelFile } from './panel.ts';
export { type Proof, prove } from './prove.ts';
