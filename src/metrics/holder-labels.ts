import type { HolderLabel, LabelKind } from '../domain/index.ts';

/** How the adjusted view treats the owner of a labelled address (docs/decisions/0029-one-definition-per-metric.md). */
export type Treatment = 'excluded' | 'set_aside' | 'holder';

/** Which kinds of owners leave the adjusted view, and how. Data of the methodology. */
export interface HolderRules {
  /** Excluded from the holders and from the supply: burned or locked tokens. */
  readonly outsideSupply: readonly LabelKind[];
  /** Excluded from the holders, but kept in the supply: their tokens can come to market, or count elsewhere. */
  readonly notHolders: readonly LabelKind[];
  /** True: owners at the addresses of the evidence's pools are labelled as pools. */
  readonly namesPools: boolean;
  /** Number of lineage groups that must label an owner as an exchange or a bridge, unless a chain read shows it. */
  readonly labelFamilies: number;
  /**
   * Contracts that a chain read proves to be governed by a vote are not holders until together they hold more than
   * `most` (0-1) of the supply; then they count with `weight` (0-1).
   */
  readonly treasury: { readonly most: number; readonly weight: number };
}

/**
 * Our kinds by the names that sources use. Any other name is that of a holder (a multisig), or says nothing about the
 * owner (a contract).
 */
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

/** Labels with a lower confidence are shown and change nothing. */
export const LEAST_CONFIDENCE = 0.7;

/** Our kind of a source's label; null if there is none. */
export function kindOf(word: string | null): LabelKind | null {
  return (word !== null && Object.hasOwn(KINDS, word) ? KINDS[word] : null) ?? null;
}

/** Treatment of an owner of this kind by the rules; an owner without a kind is a holder. */
export function treatmentOf(kind: LabelKind | null, rules: HolderRules): Treatment {
  if (kind === null) return 'holder';
  if (rules.outsideSupply.includes(kind)) return 'excluded';
  return rules.notHolders.includes(kind) ? 'set_aside' : 'holder';
}

/** A source of labels of addresses. */
export interface LabelBook {
  labelsOf(address: string): readonly HolderLabel[];
}

/** Merges books: all labels, the most confident first; equally confident ones in the order of the books. */
export function mergeBooks(books: readonly LabelBook[]): LabelBook {
  return {
    labelsOf: (address) => books.flatMap((book) => book.labelsOf(address)).sort((a, b) => b.confidence - a.confidence),
  };
}

export function bookOf(rows: Iterable<readonly [address: string, label: HolderLabel]>): LabelBook {
  const labels = new Map<string, HolderLabel[]>();
  for (const [address, label] of rows) labels.set(address, [...(labels.get(address) ?? []), label]);
  return { labelsOf: (address) => labels.get(address) ?? [] };
}

/**
 * The kind by which an owner is treated: that of the first label with at least `LEAST_CONFIDENCE`; null without one.
 */
export function decidingKind(labels: readonly HolderLabel[]): LabelKind | null {
  return labels.find((label) => label.confidence >= LEAST_CONFIDENCE)?.kind ?? null;
}
