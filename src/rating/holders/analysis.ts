import { isBurnAddress } from '../../chains/fixed-addresses.ts';
import type { ConsensusVoice } from '../../domain/consensus.ts';
import { median } from '../../domain/statistics.ts';
import { type Context, consensusOf, type Known } from '../context.ts';

export interface Holder {
  readonly owner: string;
  /** 0-1 of total supply. */
  readonly share: number;
  /** Kind by the label book; null when nobody knows the address. */
  readonly kind: string | null;
}

/** Concentration after the exclusions of methodology 8, agreed over the families that list holders. */
export interface HolderAnalysis {
  readonly top1: number;
  readonly top10: number;
  /** 1 / HHI over the listed holders: a lower bound of concentration when the list is partial. */
  readonly effective: number;
  readonly confidence: number;
  readonly support: Known<unknown>;
  /** Largest holder left after exclusions. */
  readonly largest: Holder | null;
  readonly unlabelledTop20Share: number;
  /** Share of the supply that is with bridges: it lives on as copies on other chains. */
  readonly bridged: number;
  readonly families: number;
  readonly method: string;
}

/** Gone for good or not owned: out of the holders and out of the denominator. */
const BURNT = new Set(['burn']);
/** Not one person's: out of the top list, still in the denominator. */
const POOLED = new Set(['pool', 'amm', 'exchange', 'bridge', 'staking', 'lending', 'locker', 'vesting', 'curve']);
/** Known to be a contract, not known to whom it belongs: no label. */
const UNKNOWN_CONTRACT = 'contract_unknown';
const SHORTEST_LIST = 5;

/** Reads every family's list, aggregates by owner, sets aside what is not a holder, and takes the median over families. */
export function analyseHolders(context: Context): HolderAnalysis | null {
  const lists = consensusOf(context, 'top_holders');
  if (!lists) return null;
  const labels = labelBook(context);
  const views = lists.voices
    .filter((voice) => voice.accepted)
    .map((voice) => viewOf(voice, labels))
    .filter((view) => view !== null);
  if (views.length === 0) return null;
  const pick = (of: (view: View) => number) => median(views.map(of));
  const top10 = pick((view) => view.top10);
  const spread = Math.max(...views.map((view) => Math.abs(view.top10 - top10)));
  const agreement = 1 / (1 + (spread / 0.06) ** 2);
  const unlabelled = pick((view) => view.unlabelled);
  const independence = 1 - 0.5 ** views.length;
  const fromChain = lists.voices.some((voice) => voice.accepted && voice.tier === 'chain');
  // Concentration without labels must lower confidence (methodology 0.4): half of it when nobody is known.
  const confidence =
    Math.max(independence, fromChain ? 0.75 : 0) * agreement * (1 - 0.5 * unlabelled * (labels.size === 0 ? 1 : 0.5));
  const closest = [...views].sort((a, b) => Math.abs(a.top10 - top10) - Math.abs(b.top10 - top10))[0];
  return {
    top1: pick((view) => view.top1),
    top10,
    effective: pick((view) => view.effective),
    confidence,
    support: { value: null, confidence, consensus: { ...lists, parts: { ...lists.parts, agreement } } },
    largest: closest?.holders[0] ?? null,
    unlabelledTop20Share: unlabelled,
    bridged: pick((view) => view.bridged),
    families: views.length,
    method: `top lists of ${views.length} families, by owner, pools, burns, lockers and exchanges set aside`,
  };
}

interface View {
  readonly top1: number;
  readonly top10: number;
  readonly effective: number;
  readonly unlabelled: number;
  readonly bridged: number;
  readonly holders: readonly Holder[];
}

function viewOf(voice: ConsensusVoice, labels: ReadonlyMap<string, string>): View | null {
  const owners = byOwner(voice, labels);
  if (owners.length === 0) return null;
  const burnt = owners
    .filter((row) => row.kind !== null && BURNT.has(row.kind))
    .reduce((sum, row) => sum + row.share, 0);
  const left = Math.max(1e-9, 1 - burnt);
  const holders = owners
    .filter((row) => row.kind === null || !(BURNT.has(row.kind) || POOLED.has(row.kind)))
    .map((row) => ({ ...row, share: Math.min(1, row.share / left) }))
    .sort((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
  if (owners.length < SHORTEST_LIST && holders.length === 0) return null;
  const sum = (rows: readonly Holder[]) => rows.reduce((total, row) => total + row.share, 0);
  const listed = sum(holders);
  const squares = holders.reduce((total, row) => total + row.share ** 2, 0);
  // The unlisted rest is spread at most as the smallest listed holder: an upper bound of how even it can be.
  const smallest = holders.at(-1)?.share ?? 0;
  const rest = Math.max(
    0,
    1 -
      listed -
      owners.filter((row) => row.kind !== null && POOLED.has(row.kind)).reduce((total, row) => total + row.share, 0),
  );
  const top20 = owners.slice(0, 20);
  return {
    top1: holders[0]?.share ?? 0,
    top10: Math.min(1, sum(holders.slice(0, 10))),
    effective: 1 / Math.max(1e-9, squares + rest * smallest * 0.5),
    unlabelled:
      top20.length === 0
        ? 1
        : top20.filter((row) => row.kind === null || row.kind === UNKNOWN_CONTRACT).length / top20.length,
    bridged: Math.min(1, sum(owners.filter((row) => row.kind === 'bridge')) / left),
    holders,
  };
}

function byOwner(voice: ConsensusVoice, labels: ReadonlyMap<string, string>): readonly Holder[] {
  const shares = new Map<string, Holder>();
  if (!Array.isArray(voice.value)) return [];
  for (const row of voice.value as readonly unknown[]) {
    const holder = readHolder(row);
    if (!holder) continue;
    const known = shares.get(holder.owner);
    const kind = labels.get(holder.owner) ?? known?.kind ?? holder.kind;
    shares.set(holder.owner, { owner: holder.owner, share: (known?.share ?? 0) + holder.share, kind });
  }
  return [...shares.values()].sort((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
}

function readHolder(row: unknown): Holder | null {
  if (typeof row !== 'object' || row === null) return null;
  const { owner, sharePct, kind, isLocked } = row as Readonly<Record<string, unknown>>;
  if (
    typeof owner !== 'string' ||
    owner === '' ||
    typeof sharePct !== 'number' ||
    !(sharePct >= 0 && sharePct <= 100.5)
  )
    return null;
  const name = isBurnAddress(owner)
    ? 'burn'
    : typeof kind === 'string' && kind !== 'wallet' && kind !== ''
      ? kind
      : isLocked === true
        ? 'locker'
        : null;
  return { owner, share: Math.min(1, sharePct / 100), kind: name };
}

/** Labels of all families; where two differ, the one of the nearer tier stands, then the first by source name. */
function labelBook(context: Context): ReadonlyMap<string, string> {
  const book = new Map<string, string>();
  for (const voice of consensusOf(context, 'holder_labels')?.voices ?? []) {
    if (!Array.isArray(voice.value)) continue;
    for (const row of voice.value as readonly unknown[]) {
      const { address, kind } = (typeof row === 'object' && row !== null ? row : {}) as Readonly<
        Record<string, unknown>
      >;
      if (typeof address === 'string' && typeof kind === 'string' && (!book.has(address) || voice.tier === 'chain'))
        book.set(address, kind);
    }
  }
  return book;
}
