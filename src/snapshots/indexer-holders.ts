import type { ConsensusSet, HolderLabel, Json } from '../domain/index.ts';
import { bookOf, kindOf, type LabelBook, readHolder } from '../metrics/index.ts';
import { type BalanceTable, type KeyForm, tableFromEntries } from './holders/balance-table.ts';
import { EVM_KEYS } from './holders/key-forms.ts';

/** One holder as an indexer lists it. */
export interface ListedHolder {
  readonly owner: string;
  /** 0-100 of total supply. */
  readonly sharePct: number;
}

/** A name that one indexer gives is likely right; what two give alike is surer by their number in the book. */
const INDEXER_CONFIDENCE = 0.75;
const MOST_LABELS = 2_000;

/** Names that indexers give to addresses. */
export function indexerLabels(consensus: ConsensusSet): LabelBook {
  const rows: (readonly [string, HolderLabel])[] = [];
  for (const voice of consensus.holder_labels?.voices ?? []) {
    if (!Array.isArray(voice.value)) continue;
    for (const entry of voice.value.slice(0, MOST_LABELS)) {
      const [address, kind, label] = [field(entry, 'address'), field(entry, 'kind'), field(entry, 'label')];
      const known = kindOf(kind);
      if (address === null || known === null) continue;
      const name = (label ?? known).slice(0, 80);
      rows.push([address, { kind: known, name, source: voice.source, confidence: INDEXER_CONFIDENCE }]);
    }
  }
  const named = new Set(rows.map(([address]) => address));
  // Lists say of some owners themselves what they are; a name of its own comes first.
  for (const voice of consensus.top_holders?.voices ?? []) {
    if (!voice.accepted || !Array.isArray(voice.value)) continue;
    for (const entry of voice.value.slice(0, MOST_LABELS)) {
      const holder = readHolder(entry);
      const known = holder === null ? null : kindOf(holder.kind);
      if (holder === null || known === null || named.has(holder.owner)) continue;
      rows.push([holder.owner, { kind: known, name: known, source: voice.source, confidence: INDEXER_CONFIDENCE }]);
    }
  }
  return bookOf(rows);
}

/** The longest list of largest holders that an accepted source gives, added up by owner; null when nobody gives one. */
export function listedHolders(
  consensus: ConsensusSet,
): { readonly source: string; readonly holders: readonly ListedHolder[] } | null {
  let best: { readonly source: string; readonly holders: readonly ListedHolder[] } | null = null;
  for (const voice of consensus.top_holders?.voices ?? []) {
    if (!voice.accepted || !Array.isArray(voice.value)) continue;
    const shares = new Map<string, number>();
    for (const entry of voice.value) {
      const owner = field(entry, 'owner');
      const share = (entry as { readonly sharePct?: Json } | null)?.sharePct;
      if (owner !== null && typeof share === 'number' && share >= 0 && share <= 100)
        shares.set(owner, (shares.get(owner) ?? 0) + share);
    }
    const holders = [...shares].map(([owner, sharePct]) => ({ owner, sharePct }));
    if (best === null || holders.length > best.holders.length) best = { source: voice.source, holders };
  }
  return best;
}

/** Balances of listed holders in base units of `supply`, as exact as their shares are; what is no address here is left out. */
export function tableOfListed(form: KeyForm, supply: bigint, holders: readonly ListedHolder[]): BalanceTable {
  return tableFromEntries(
    form,
    holders
      .filter((holder) => form.keyOf(holder.owner) !== null)
      .map((holder) => [
        form === EVM_KEYS ? holder.owner.toLowerCase() : holder.owner,
        (supply * BigInt(Math.round(holder.sharePct * 1e7))) / 1_000_000_000n,
      ]),
  );
}

function field(entry: Json, name: string): string | null {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return null;
  const value = (entry as Readonly<Record<string, Json>>)[name];
  return typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : null;
}
