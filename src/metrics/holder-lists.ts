import { isBurnAddress } from '../chains/index.ts';
import type { ConsensusSet, LabelKind } from '../domain/index.ts';
import { HOLDER_SCAN, median } from '../domain/index.ts';
import { consensusAt, type Known, scopesWith } from './agreed.ts';
import { type HolderRules, kindOf, treatmentOf } from './holder-labels.ts';

export interface Holder {
  readonly owner: string;
  /** 0-1 of the view's supply. */
  readonly share: number;
  /** Kind as the sources name it; null when no source labels the address. */
  readonly kind: string | null;
}

/** Shares after exclusions, 0-1 of the adjusted supply, and 1 / HHI. */
export interface Concentration {
  readonly top1: number;
  readonly top10: number;
  readonly effective: number;
}

/** Concentration as medians over the accepted sources' lists of largest holders. */
export interface HolderAnalysis {
  /** Shares after exclusions, 0-1 of the adjusted supply. */
  readonly top1: number;
  readonly top10: number;
  /** 1 / HHI over the listed holders: a lower bound of concentration when the list is partial. */
  readonly effective: number;
  /** The same if those that are not listed are as concentrated as they can be. */
  readonly worst: Concentration;
  readonly confidence: number;
  readonly support: Known<unknown>;
  /** Largest holder after exclusions, other than contracts that a chain read proves to be governed. */
  readonly largest: Holder | null;
  /** Median share of the largest such holder over the lists, 0-1 of the adjusted supply. */
  readonly largestShare: number;
  /** Share of contracts that a chain read proves to be governed, 0-1 of the adjusted supply; reported separately. */
  readonly treasury: number;
  readonly unlabelledTop20Share: number;
  /** Share of the supply that bridges hold: it circulates as copies on other chains. */
  readonly bridged: number;
  readonly families: number;
  readonly method: string;
}

/** A row of a list that the caller read from the chain. */
export interface HolderRow {
  readonly owner: string;
  /** 0-100 of total supply. */
  readonly sharePct: number;
  readonly kind: LabelKind | null;
}

/** Percent of the view's supply that the largest owners hold, by their number; null when no list is long enough. */
export type ListedTops = Readonly<Record<Top, number | null>>;
type Top = (typeof TOPS)[number];

const TOPS = [1, 5, 10, 20, 50, 100] as const;
/** A contract of an unknown owner: counts as unlabelled. */
const UNKNOWN_CONTRACT = 'contract_unknown';
const SHORTEST_LIST = 5;
/** The longest top that ratings use. */
const RATED_TOP = 10;

/** Parameters for the confidence of concentration. Data of the methodology. */
export interface HolderListRules {
  /** Agreement is one half when a list differs by this much from the median share of the ten largest. */
  readonly agreementSpread: number;
  /** Probability that one list is wrong. */
  readonly errorChance: number;
  /** Least independence when one of the lists was read from the chain. */
  readonly chainIndependence: number;
  /**
   * Share of the confidence that is lost when none of the twenty largest is labelled; `someLabels`: factor of that loss
   * when the sources give any labels.
   */
  readonly unlabelledDiscount: number;
  readonly someLabels: number;
}

/**
 * Reads the list of every lineage group, adds it up by owner, excludes owners that are not holders, and takes medians
 * over the lists. Null without a list.
 */
export function analyseHolders(set: ConsensusSet, rules: HolderRules, limits: HolderListRules): HolderAnalysis | null {
  const lists = consensusAt(set, 'top_holders');
  if (!lists) return null;
  const told = statedNames(set, rules);
  const views = viewsIn(set, rules, []);
  if (views.length === 0) return null;
  const pick = (of: (view: View) => number) => median(views.map(of)) ?? 0;
  const top10 = pick((view) => view.top10);
  const spread = Math.max(...views.map((view) => Math.abs(view.top10 - top10)));
  const agreement = 1 / (1 + (spread / limits.agreementSpread) ** 2);
  const unlabelled = pick((view) => view.unlabelled);
  const independence = 1 - limits.errorChance ** views.length;
  const fromChain = lists.voices.some((voice) => voice.accepted && voice.tier === 'chain');
  // Unlabelled owners must lower confidence (methodology 0.4): by half when no owner is labelled.
  const confidence =
    Math.max(independence, fromChain ? limits.chainIndependence : 0) *
    agreement *
    (1 - limits.unlabelledDiscount * unlabelled * (told.size === 0 ? 1 : limits.someLabels));
  const treasury = pick((view) => view.treasury);
  const closest = [...views].sort((a, b) => Math.abs(a.top10 - top10) - Math.abs(b.top10 - top10))[0];
  return {
    top1: pick((view) => view.top1),
    top10,
    effective: pick((view) => view.effective),
    worst: {
      top1: pick((view) => view.worst.top1),
      top10: pick((view) => view.worst.top10),
      effective: pick((view) => view.worst.effective),
    },
    confidence,
    support: { value: null, confidence, consensus: { ...lists, parts: { ...lists.parts, agreement } } },
    largest: closest?.holders.find(isSomebodys) ?? null,
    largestShare: pick((view) => view.holders.find(isSomebodys)?.share ?? 0),
    treasury,
    unlabelledTop20Share: unlabelled,
    bridged: pick((view) => view.bridged),
    families: views.length,
    method: `top lists of ${views.length} families, by owner, pools, burns, lockers and exchanges set aside${treasury > 0 ? `; governed by a vote ${(treasury * 100).toFixed(1)} %, counts ${weightOfTreasury(treasury, rules)}` : ''}`,
  };
}

/**
 * Shares of the largest owners, raw and after exclusions: medians over the same lists that ratings use. `read`: a list
 * that the caller read from the chain, used when the evidence has none from there. Null without a list.
 */
export function listedTops(
  set: ConsensusSet,
  rules: HolderRules,
  read: readonly HolderRow[],
): { readonly raw: ListedTops; readonly adjusted: ListedTops } | null {
  const views = viewsIn(set, rules, read);
  if (views.length === 0) return null;
  return { raw: topsOf(views, (view) => view.owners), adjusted: topsOf(views, (view) => view.holders) };
}

/** One owner with its raw share, and its share in the adjusted view. */
export interface LargestOwner {
  readonly owner: string;
  /** Kind as the sources name it; null when no source labels the address. */
  readonly kind: string | null;
  /** 0-1 of the total supply. */
  readonly raw: number;
  /** 0-1 of the adjusted supply; null for an owner that is not a holder. */
  readonly adjusted: number | null;
}

/**
 * The largest owners, largest first, of the list closest to the median share of the ten largest. Empty without a list.
 */
export function largestOwners(set: ConsensusSet, rules: HolderRules): readonly LargestOwner[] {
  const views = viewsIn(set, rules, []);
  const agreed = median(views.map((view) => view.top10));
  const [view] = [...views].sort((a, b) => Math.abs(a.top10 - (agreed ?? 0)) - Math.abs(b.top10 - (agreed ?? 0)));
  if (view === undefined) return [];
  const adjusted = new Map(view.holders.map(({ owner, share }) => [owner, share]));
  return view.owners.map(({ owner, kind, share }) => ({
    owner,
    kind,
    raw: share,
    adjusted: adjusted.get(owner) ?? null,
  }));
}

interface View {
  readonly top1: number;
  readonly top10: number;
  readonly effective: number;
  readonly worst: Concentration;
  readonly unlabelled: number;
  readonly treasury: number;
  readonly bridged: number;
  readonly owners: readonly Holder[];
  readonly holders: readonly Holder[];
}

/**
 * The accepted lists by owner and after exclusions, without those that are too short. Our own scan replaces the short
 * lists of nodes: all of them are reads of nodes, and together they would outvote an explorer.
 */
function viewsIn(set: ConsensusSet, rules: HolderRules, read: readonly HolderRow[]): readonly View[] {
  const accepted = (consensusAt(set, 'top_holders')?.voices ?? []).filter((voice) => voice.accepted);
  const hasScan = accepted.some((voice) => voice.family === HOLDER_SCAN.family);
  const voices = accepted.filter((voice) => !hasScan || voice.tier !== 'chain' || voice.family === HOLDER_SCAN.family);
  const lists: readonly unknown[] = voices.map((voice) => voice.value);
  const hasRead = read.length > 0 && !voices.some((voice) => voice.tier === 'chain');
  const told = statedNames(set, rules);
  const labels = rules.namesPools ? withPools(told, set) : told;
  return (hasRead ? [...lists, read] : lists)
    .map((list) => viewOf(list, labels, rules))
    .filter((view) => view !== null);
}

/** False for a contract that a chain read proves to be governed by a vote. */
function isSomebodys({ kind }: Holder): boolean {
  return kind === null || !kind.endsWith(PROVEN);
}

/** Weight of contracts that a chain read proves to be governed: zero, unless they hold more than `treasury.most`. */
function weightOfTreasury(share: number, { treasury }: HolderRules): number {
  return share > treasury.most ? treasury.weight : 0;
}

function viewOf(list: unknown, labels: ReadonlyMap<string, string>, rules: HolderRules): View | null {
  const owners = byOwner(list, labels);
  if (owners.length === 0) return null;
  const treated = (row: Holder) => treatmentOf(kindOf(row.kind), rules);
  const excluded = sumOf(owners.filter((row) => treated(row) === 'excluded'));
  const left = Math.max(1e-9, 1 - excluded);
  const whole = owners
    .filter((row) => treated(row) === 'holder')
    .map((row) => ({ ...row, share: Math.min(1, row.share / left) }));
  const treasury = sumOf(whole.filter((row) => !isSomebodys(row)));
  const holders = whole
    .map((row) => (isSomebodys(row) ? row : { ...row, share: row.share * weightOfTreasury(treasury, rules) }))
    .filter((row) => row.share > 0 || isSomebodys(row))
    .sort((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
  if (owners.length < SHORTEST_LIST && whole.length === 0) return null;
  const listed = sumOf(whole);
  const squares = holders.reduce((total, row) => total + row.share ** 2, 0);
  // An unlisted holder has at most the share of the smallest listed one, which limits the concentration of the rest.
  const smallest = holders.at(-1)?.share ?? 0;
  const rest = Math.max(0, 1 - listed - sumOf(owners.filter((row) => treated(row) === 'set_aside')));
  const top20 = owners.slice(0, 20);
  return {
    top1: holders[0]?.share ?? 0,
    top10: Math.min(1, sumOf(holders.slice(0, 10))),
    effective: 1 / Math.max(1e-9, squares + rest * smallest * 0.5),
    worst: worstOf(holders, owners, rest, left),
    unlabelled:
      top20.length === 0
        ? 1
        : top20.filter((row) => row.kind === null || row.kind === UNKNOWN_CONTRACT).length / top20.length,
    treasury,
    bridged: Math.min(1, sumOf(owners.filter((row) => row.kind === 'bridge')) / left),
    owners,
    holders,
  };
}

/**
 * Concentration if the `rest`, which is not listed, is as concentrated as it can be. Behind a list of the ten largest or
 * more, nobody holds more than the last owner; a shorter list may leave out one that holds all the rest.
 */
function worstOf(holders: readonly Holder[], owners: readonly Holder[], rest: number, left: number): Concentration {
  const isLong = owners.length >= RATED_TOP;
  const each = isLong ? Math.min(rest, (owners.at(-1)?.share ?? 0) / left) : rest;
  const places = Math.max(0, RATED_TOP - holders.length);
  const squares = holders.reduce((total, row) => total + row.share ** 2, 0);
  return {
    top1: Math.min(1, Math.max(holders[0]?.share ?? 0, each)),
    top10: Math.min(1, sumOf(holders.slice(0, RATED_TOP)) + Math.min(rest, places * each)),
    effective: 1 / Math.max(1e-9, squares + rest * each),
  };
}

/**
 * Medians over the lists. For tops up to ten all lists count, as in ratings, if one of them is that long; for larger
 * tops only the lists that are that long after exclusions. A larger top never holds less than a smaller one, although
 * their lists may differ.
 */
function topsOf(views: readonly View[], rowsOf: (view: View) => readonly Holder[]): ListedTops {
  let least = 0;
  const shares = TOPS.map((top): [Top, number | null] => {
    const isRated = top <= RATED_TOP;
    const reaching = views.filter((view) => (isRated ? view.owners : rowsOf(view)).length >= top);
    const counted = isRated ? views : reaching;
    const found = median(counted.map((view) => Math.min(1, sumOf(rowsOf(view).slice(0, top)))));
    if (reaching.length === 0 || found === null) return [top, null];
    least = Math.max(least, found * 100);
    return [top, least];
  });
  return Object.fromEntries(shares) as ListedTops;
}

function sumOf(rows: readonly Holder[]): number {
  return rows.reduce((total, row) => total + row.share, 0);
}

function byOwner(list: unknown, labels: ReadonlyMap<string, string>): readonly Holder[] {
  const shares = new Map<string, Holder>();
  if (!Array.isArray(list)) return [];
  for (const row of list as readonly unknown[]) {
    const holder = readHolder(row);
    if (!holder) continue;
    const known = shares.get(holder.owner);
    const kind = labels.get(holder.owner) ?? known?.kind ?? holder.kind;
    shares.set(holder.owner, { owner: holder.owner, share: (known?.share ?? 0) + holder.share, kind });
  }
  return [...shares.values()].sort((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
}

/** A row of a source's list of largest holders, its share of the total supply; null for an invalid row. */
export function readHolder(row: unknown): Holder | null {
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

/** Labels that anybody can request from an explorer: they need `labelFamilies` lineage groups, or a chain read. */
const ASKED_FOR: ReadonlySet<string> = new Set(['exchange', 'bridge']);
/** Kinds whose code is the project's own governance, if a chain read proves it. */
const GOVERNED: ReadonlySet<string> = new Set(['treasury', 'governance', 'timelock']);
/** Suffix of the kind of a contract that a chain read proves to be governed: a holder, but not a private wallet. */
const PROVEN = '_proven';
/** Suffix of a kind that only a single public tag states: it labels the holder, and changes no share. */
const TAGGED = '_tag';

interface Named {
  readonly kind: string;
  readonly families: Set<string>;
  isChain: boolean;
}

/**
 * Labels of all lineage groups; where two differ, that of a chain read takes precedence, then the first by source name.
 * An exchange or a bridge that too few groups name stays a holder.
 */
function statedNames(set: ConsensusSet, rules: HolderRules): ReadonlyMap<string, string> {
  const book = new Map<string, Named>();
  const note = (
    address: string,
    kind: string,
    { family, tier }: { readonly family: string; readonly tier: string },
  ) => {
    const known = book.get(address);
    const isChain = tier === 'chain';
    if (known?.kind === kind) {
      known.families.add(family);
      known.isChain ||= isChain;
    } else if (known === undefined || isChain) book.set(address, { kind, families: new Set([family]), isChain });
  };
  for (const voice of consensusAt(set, 'holder_labels')?.voices ?? []) {
    if (!Array.isArray(voice.value)) continue;
    for (const row of voice.value as readonly unknown[]) {
      const { address, kind } = (typeof row === 'object' && row !== null ? row : {}) as Readonly<
        Record<string, unknown>
      >;
      if (typeof address === 'string' && typeof kind === 'string') note(address, kind, voice);
    }
  }
  for (const voice of consensusAt(set, 'top_holders')?.voices ?? []) {
    if (!voice.accepted || !Array.isArray(voice.value)) continue;
    for (const row of voice.value as readonly unknown[]) {
      const holder = readHolder(row);
      if (holder?.kind && ASKED_FOR.has(holder.kind)) note(holder.owner, holder.kind, voice);
    }
  }
  return new Map([...book].map(([address, named]) => [address, nameOf(named, rules)]));
}

function nameOf({ kind, families, isChain }: Named, { labelFamilies }: HolderRules): string {
  if (ASKED_FOR.has(kind) && !isChain && families.size < labelFamilies) return `${kind}${TAGGED}`;
  return GOVERNED.has(kind) && isChain ? `${kind}${PROVEN}` : kind;
}

/** Labels the addresses of the evidence's pools as pools; labels of sources take precedence. */
function withPools(told: ReadonlyMap<string, string>, set: ConsensusSet): ReadonlyMap<string, string> {
  const book = new Map(told);
  for (const scope of scopesWith(set, 'pool_liquidity_usd')) {
    const address = scope.replace(/^pool:/, '');
    if ((book.get(address) ?? UNKNOWN_CONTRACT) === UNKNOWN_CONTRACT) book.set(address, 'pool');
  }
  return book;
}
