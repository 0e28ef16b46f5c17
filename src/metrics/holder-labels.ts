import type { HolderLabel, LabelKind } from '../domain/index.ts';

/** What a label makes of its address in the adjusted view (docs/decisions/0029-one-definition-per-metric.md). */
export type Treatment = 'excluded' | 'set_aside' | 'holder';

/** Which kinds of owners leave the adjusted view, and how. Data of the methodology. */
export interface HolderRules {
  /** Neither holders nor supply: burned for good, or under a lock. */
  readonly outsideSupply: readonly LabelKind[];
  /** No holders, but their tokens can come to market or count elsewhere: they stay in the supply. */
  readonly notHolders: readonly LabelKind[];
  /** True when the pools of the evidence name the owners at their addresses. */
  readonly namesPools: boolean;
  /** Lineage groups that must call an owner an exchange or a bridge, where the chain does not show it. */
  readonly labelFamilies: number;
  /** Contracts that the chain proves to be governed by a vote are not holders until they hold more than `most` (0-1) of the supply; then they count `weight` (0-1). */
  readonly treasury: { readonly most: number; readonly weight: number };
}

/** Our kinds by the names that sources use. A kind that is not here names a holder (a treasury, a multisig) or no owner (a contract). */
const KINDS: Readonly<Record<string, LabelKind>> = {
  pool: 'pool',
  amm: 'pool',
  curve: 'pool',
  burn: 'burn',
  locker: 'locker',
  vesting: 'vesting',
  bridge: 'bridge',
  exchange: 'exchange',
  staking: 'staking',
  lending: 'lending',
  creator: 'issuer',
  issuer: 'issuer',
  team: 'issuer',
  treasury: 'issuer',
  treasury_proven: 'issuer',
};

/** Labels below this are shown and change nothing. */
export const LEAST_CONFIDENCE = 0.7;

/** Our kind of a source's label; null if there is none. */
export function kindOf(word: string | null): LabelKind | null {
  return (word !== null && Object.hasOwn(KINDS, word) ? KINDS[word] : null) ?? null;
}

/** What the rules make of an owner of that kind; an unknown kind is a holder. */
export function treatmentOf(kind: LabelKind | null, rules: HolderRules): Treatment {
  if (kind === null) return 'holder';
  if (rules.outsideSupply.includes(kind)) return 'excluded';
  return rules.notHolders.includes(kind) ? 'set_aside' : 'holder';
}

/** Where names of addresses come from, by address. */
export interface LabelBook {
  labelsOf(address: string): readonly HolderLabel[];
}

/** Several books as one: every label is kept, the surest first; of equally sure ones the first book's. */
export function mergeBooks(books: readonly LabelBook[]): LabelBook {
  return {
    labelsOf: (address) => books.flatMap((book) => book.labelsOf(address)).sort((a, b) => b.confidence - a.confidence),
  };
}

/** A book from rows. */
export function bookOf(rows: Iterable<readonly [address: string, label: HolderLabel]>): LabelBook {
  const labels = new Map<string, HolderLabel[]>();
  for (const [address, label] of rows) labels.set(address, [...(labels.get(address) ?? []), label]);
  return { labelsOf: (address) => labels.get(address) ?? [] };
}

/** The kind that decides about an owner: that of the surest label that is sure enough. Null when nothing is. */
export function decidingKind(labels: readonly HolderLabel[]): LabelKind | null {
  return labels.find((label) => label.confidence >= LEAST_CONFIDENCE)?.kind ?? null;
}
