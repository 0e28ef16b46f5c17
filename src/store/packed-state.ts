import first from './dictionaries/state-1.json' with { type: 'json' };
import { packingOf } from './dictionary-packing.ts';

/** Publication's state of an asset; the dictionary is the state of a fictional asset. */
export const STATES = packingOf({ of: 'states', dictionaries: [first], largest: 4 * 1024 * 1024 });

/** Packs a state, JSON. */
export function packState(state: string): Buffer {
  return STATES.pack(Buffer.from(state));
}

/** The state of a row, JSON: packed, or unpacked as written by earlier versions. */
export function stateOfRow(row: { readonly state: string | null; readonly state_packed: Buffer | null }): string {
  if (row.state_packed !== null) return STATES.unpack(row.state_packed).toString();
  if (row.state === null) throw new Error('an asset has no state');
  return row.state;
}
