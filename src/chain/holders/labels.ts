import type { HolderLabel, LabelKind } from '../../domain/snapshot.ts';

/** How a label changes the adjusted view (methodology 8). */
export type Treatment = 'excluded' | 'set_aside' | 'holder';

/**
 * `excluded`: neither holder nor supply (burned, locked away, counted on another chain). `set_aside`: no holder, but its
 * tokens can come to market, so they stay in the supply (pools, exchanges, staking, lending). `holder`: team and issuer
 * are never set aside.
 */
export const TREATMENT: Readonly<Record<LabelKind, Treatment>> = {
  burn: 'excluded',
  locker: 'excluded',
  vesting: 'excluded',
  bridge: 'excluded',
  pool: 'set_aside',
  exchange: 'set_aside',
  staking: 'set_aside',
  lending: 'set_aside',
  issuer: 'holder',
  program: 'holder',
};

/** Labels below this are shown and change nothing. */
export const LEAST_CONFIDENCE = 0.7;

/** Where names of addresses come from, by address. */
export interface LabelBook {
  labelsOf(address: string): readonly HolderLabel[];
}

/** Several books as one: every label is kept, the surest first. */
export function mergeBooks(books: readonly LabelBook[]): LabelBook {
  return {
    labelsOf: (address) =>
      books
        .flatMap((book) => book.labelsOf(address))
        .sort((a, b) => b.confidence - a.confidence || (a.name < b.name ? -1 : 1)),
  };
}

/** A book from rows. */
export function bookOf(rows: Iterable<readonly [address: string, label: HolderLabel]>): LabelBook {
  const labels = new Map<string, HolderLabel[]>();
  for (const [address, label] of rows) labels.set(address, [...(labels.get(address) ?? []), label]);
  return { labelsOf: (address) => labels.get(address) ?? [] };
}

/** What the surest label that is sure enough does; null when the address counts as a holder. */
export function treatmentOf(
  labels: readonly HolderLabel[],
): { readonly kind: LabelKind; readonly treatment: Treatment } | null {
  const label = labels.find((row) => row.confidence >= LEAST_CONFIDENCE && TREATMENT[row.kind] !== 'holder');
  return label === undefined ? null : { kind: label.kind, treatment: TREATMENT[label.kind] };
}
