import { findChain } from '../chains/index.ts';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot, Snapshot } from '../contract/index.ts';
import {
  type Asset,
  type Consensus,
  type ConsensusSet,
  consensusKey,
  type EvidenceRecord,
  HOLDER_SCAN,
  ok,
  REPLIED,
  type Result,
  type ScoreReport,
  type SnapshotKind,
} from '../domain/index.ts';
import { bookOf, type HolderRules } from '../metrics/index.ts';
import {
  type CollectReason,
  createQuotePrices,
  type Gathered,
  type GatherTools,
  gather,
  noSnapshot,
} from './gather.ts';
import { EVM_KEYS, type KeyForm, SOLANA_KEYS } from './holders/balance-table.ts';
import { HOLDER_SOURCES, holdersOf, type ListHolders, listedHolders, tableOfListed } from './holders/list.ts';
import { NOT_COUNTED } from './holders/snapshot.ts';
import type { PricePoint } from './market/number.ts';
import { exactSupplyOf, MARKET_SOURCES, marketOf } from './market/snapshot.ts';
import { POOL_SOURCES, poolsOf, poolsOfEvidence, type ReadPools } from './pools/snapshot.ts';

/** Readers of one chain; null where such data cannot be read there. */
export interface ChainReaders {
  readonly listHolders: ListHolders | null;
  readonly readPools: ReadPools | null;
}

export interface CollectorTools extends GatherTools {
  readonly readersOf: (chain: string) => ChainReaders;
  /** Our own stored prices of the last 400 days. */
  readonly history: (assetId: string) => Promise<readonly PricePoint[]>;
  /** The newest holders snapshot, for the change since. */
  readonly previousHolders: (assetId: string) => Promise<HoldersSnapshot | null>;
}

/** Makes snapshots from sources and chains; stores nothing. */
export function createSnapshotCollector(tools: CollectorTools): SnapshotCollector {
  const quotes = createQuotePrices(tools);

  async function market(asset: Asset, signal: AbortSignal) {
    const gathered = await gather(asset, MARKET_SOURCES, tools, signal);
    if (gathered === null) return noSnapshot('no_source_reachable', 'no source of market data answered');
    return ok(marketOf(asset, gathered, await tools.history(asset.id)));
  }

  async function pools(asset: Asset, signal: AbortSignal) {
    const gathered = await gather(asset, POOL_SOURCES, tools, signal);
    if (gathered === null) return noSnapshot('no_source_reachable', 'no source that lists pools answered');
    const { readPools } = tools.readersOf(asset.chain ?? '');
    return ok(await poolsOf(asset, gathered, readPools, quotes, signal));
  }

  async function holders(asset: Asset, signal: AbortSignal) {
    const { listHolders } = tools.readersOf(asset.chain ?? '');
    if (listHolders === null) return noSnapshot('unsupported_asset', 'holders of this chain cannot be listed');
    const gathered = await gather(asset, HOLDER_SOURCES, tools, signal);
    const listed = await listHolders(asset, gathered, signal);
    if (!listed.ok)
      return noSnapshot(listed.reason === 'not_found' ? 'not_a_token' : 'no_source_reachable', listed.detail);
    const asOf = new Date(tools.now()).toISOString();
    const previous = await tools.previousHolders(asset.id);
    return ok(holdersOf(asset, listed.value, gathered, asOf, previous, tools.methodology.holders));
  }

  return {
    async collect(asset, kind, signal) {
      if (asset.chain === null || asset.address === null || findChain(asset.chain) === null)
        return noSnapshot('unsupported_asset', 'only assets on a chain of ours have chain data');
      if (kind !== 'market' && asset.address === 'native')
        return noSnapshot(
          'unsupported_asset',
          'a chain has neither holders nor pools of its own coin; ask for its wrapped form',
        );
      const made = await { market, holders, pools }[kind](asset, signal);
      return signal.aborted ? noSnapshot('cancelled', 'stopped') : made;
    },
  };
}

/** Makes one snapshot of one asset. Stores nothing. */
export interface SnapshotCollector {
  collect(
    asset: Asset,
    kind: SnapshotKind,
    signal: AbortSignal,
  ): Promise<Result<Snapshot, { readonly reason: CollectReason; readonly detail: string }>>;
}

/** Data of the asset that was stored before the rating. */
export interface KeptBefore {
  /** Our own stored prices of the last 400 days. */
  readonly history: readonly PricePoint[];
  /** The newest holders snapshot, for the change since. */
  readonly holders: HoldersSnapshot | null;
}

/** Lists up to this length contain only the largest accounts, whatever their source. */
const MOST_OF_LARGEST = 20;
/** Decimals that a token's contract can state (uint8). */
const MOST_DECIMALS = 255;

/**
 * The snapshots that follow from a rating's evidence: made of the rating's own observations and consensus, so that both
 * state the same figures for the same time. Nothing is requested; a kind is left out when no source replied for it in
 * this collection. Holders are a list of the largest and never `complete`; pools have the values of indexers, the
 * largest those read from the chain. `rules` are the methodology's. Pure.
 */
export function ratedSnapshots(
  { evidence, consensus }: Pick<ScoreReport, 'evidence' | 'consensus'>,
  before: KeptBefore,
  rules: HolderRules,
): readonly Snapshot[] {
  const { asset } = evidence.identification;
  const chain = asset.chain === null ? null : findChain(asset.chain);
  if (chain === null || asset.address === null) return [];
  const gathered = (sources: ReadonlySet<string>): Gathered => ({
    consensus,
    observations: evidence.observations,
    asOf: evidence.asOf,
    attributions: evidence.attributions,
    notRedistributable: new Set(evidence.notRedistributable),
    warnings: warningsOf(evidence, sources),
  });
  const market = marketOfRating(evidence, gathered(MARKET_SOURCES), before.history);
  const onlyMarket = market === null ? [] : [market];
  // A chain's own coin has neither holders nor pools.
  if (asset.address === 'native') return onlyMarket;
  const form = chain.kind === 'evm' ? EVM_KEYS : SOLANA_KEYS;
  const holders = holdersOfRating(evidence, gathered(HOLDER_SOURCES), form, before.holders, rules);
  const pools = poolsOfRating(evidence, gathered(POOL_SOURCES));
  return [...onlyMarket, ...(holders === null ? [] : [holders]), ...(pools === null ? [] : [pools])];
}

/** Without a price there is a snapshot only when every source replied, which shows that there is no price. */
function marketOfRating(
  evidence: EvidenceRecord,
  gathered: Gathered,
  history: readonly PricePoint[],
): MarketSnapshot | null {
  const price = gathered.consensus[consensusKey('price_usd')];
  if (price === undefined || typeof price.value !== 'number') {
    const asked = evidence.sources.filter(({ name, asked }) => MARKET_SOURCES.has(name) && asked > 0);
    if (asked.length === 0 || asked.some(({ answered, asked }) => answered < asked)) return null;
  } else if (isOfBefore(price)) return null;
  return marketOf(evidence.identification.asset, gathered, history);
}

function holdersOfRating(
  evidence: EvidenceRecord,
  gathered: Gathered,
  form: KeyForm,
  previous: HoldersSnapshot | null,
  rules: HolderRules,
): HoldersSnapshot | null {
  const listed = listedHolders(listsOfNow(gathered.consensus));
  const supply = supplyOf(gathered);
  if (listed === null || listed.holders.length === 0 || supply === null) return null;
  return holdersOf(
    evidence.identification.asset,
    {
      method: listed.holders.length > MOST_OF_LARGEST ? 'indexer' : 'top20_only',
      table: tableOfListed(form, supply.units, listed.holders),
      holderCount: null,
      supply: supply.units,
      decimals: supply.decimals,
      labels: bookOf([]),
      alsoLook: [],
      scan: NOT_COUNTED,
      sources: [listed.source, ...supply.sources],
      // A list from a source is not an enumeration, whatever it adds up to.
      doubtful: true,
      warnings: [
        ...gathered.warnings,
        'the largest holders as the evidence of a rating lists them; amounts are computed from shares of the supply: they are not exact',
      ],
    },
    gathered,
    gathered.asOf,
    previous,
    rules,
  );
}

/** An empty list of pools requires a reply from a source that lists pools. */
function poolsOfRating(evidence: EvidenceRecord, gathered: Gathered): PoolsSnapshot | null {
  const told = Object.values(gathered.consensus).filter(({ quantity }) => quantity === 'pool_liquidity_usd');
  const answered = evidence.responses.some(
    ({ source, outcome, carriedFrom }) => POOL_SOURCES.has(source) && REPLIED.has(outcome) && carriedFrom === undefined,
  );
  if (!answered || (told.length > 0 && told.every(isOfBefore))) return null;
  const { asset } = evidence.identification;
  const snapshot = poolsOfEvidence(asset, gathered);
  const read = snapshot.totals.verified_pools;
  const note =
    snapshot.pools.length === 0
      ? 'no source that lists pools knows one of this asset'
      : read === 0
        ? 'the pools as the evidence of a rating tells them; they were not read from the chain'
        : `the pools as the evidence of a rating tells them; ${read} of the largest were read from the chain`;
  return { ...snapshot, warnings: [...snapshot.warnings, note] };
}

/**
 * Lists that were read in this collection, without those carried over and without stored scans, which are snapshots
 * already.
 */
function listsOfNow(consensus: ConsensusSet): ConsensusSet {
  const lists = consensus.top_holders;
  if (lists === undefined) return consensus;
  return { ...consensus, top_holders: { ...lists, voices: lists.voices.filter(isOfNow) } };
}

function isOfNow(voice: Consensus['voices'][number]): boolean {
  return voice.carried !== true && voice.source !== HOLDER_SCAN.source;
}

/** True when every accepted value was carried over from an earlier collection. */
function isOfBefore({ voices }: Consensus): boolean {
  const accepted = voices.filter((voice) => voice.accepted);
  return accepted.length > 0 && accepted.every((voice) => voice.carried === true);
}

/** The supply in base units: exact when it was read from the chain, else with the precision of a double. */
function supplyOf({ consensus, observations }: Gathered): {
  readonly units: bigint;
  readonly decimals: number;
  readonly sources: readonly string[];
} | null {
  const decimals = consensus[consensusKey('decimals')]?.value;
  const total = consensus[consensusKey('total_supply')];
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > MOST_DECIMALS)
    return null;
  if (total === undefined || typeof total.value !== 'number' || !Number.isFinite(total.value)) return null;
  if (total.value < 0) return null;
  const exact = exactSupplyOf(consensus, observations);
  const units = unitsOf(exact?.tokens ?? null, total.value, decimals);
  const accepted = total.voices.filter((voice) => voice.accepted).map((voice) => voice.source);
  return { units, decimals, sources: exact === null ? accepted : [exact.source] };
}

/**
 * Base units of whole tokens: from decimal text, else from the shortest text of the double, so that a round number
 * stays round.
 */
function unitsOf(exact: string | null, tokens: number, decimals: number): bigint {
  if (exact === null && tokens >= 1e21) return BigInt(tokens) * 10n ** BigInt(decimals);
  const text = exact ?? (tokens < 1e-6 ? '0' : String(tokens));
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'));
}

/** The failed sources of a kind, worded as in the indexer's own snapshots. */
function warningsOf({ sources }: EvidenceRecord, wanted: ReadonlySet<string>): readonly string[] {
  return sources.flatMap(({ name, asked, answered, detail, outcome, carried }) =>
    wanted.has(name) && asked > 0 && answered < asked
      ? [`${name}: ${detail ?? outcome}${carried === undefined ? '' : '; earlier answers stand'}`]
      : [],
  );
}
