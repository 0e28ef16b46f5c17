import { randomBytes } from 'node:crypto';
import { findChain } from '../chains/index.ts';
import { agree } from '../consensus/index.ts';
import type { ConsensusSet, Observation, SnapshotHead } from '../domain/index.ts';
import { type Asset, type AssetKeys, NO_KEYS } from '../domain/index.ts';
import type { BulkLists, SourceBook } from '../evidence/index.ts';
import { assemble, collect, createJobAsker } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Upstream } from '../upstream/index.ts';

export interface GatherTools {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  readonly bulk: BulkLists;
  readonly methodology: Methodology;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What the sources said of an asset just now, and what they agree on. */
export interface Gathered {
  readonly consensus: ConsensusSet;
  /** What the consensus was made of. */
  readonly observations: readonly Observation[];
  /** RFC 3339: when the last of them had answered. */
  readonly asOf: string;
  readonly attributions: SnapshotHead['attributions'];
  /** Sources whose own values may not be passed on (their terms). */
  readonly notRedistributable: ReadonlySet<string>;
  /** Sources that were asked and failed, in plain words. */
  readonly warnings: readonly string[];
}

const DEADLINE_MS = 30_000;

/** Asks the named sources about one asset, side by side under one deadline. Null when none of them answered. */
export async function gather(
  asset: Asset,
  sources: ReadonlySet<string>,
  tools: GatherTools,
  signal: AbortSignal,
): Promise<Gathered | null> {
  const book: SourceBook = new Map([...tools.book].filter(([name]) => sources.has(name)));
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const asker = createJobAsker({
    ...tools,
    book,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + DEADLINE_MS,
    signal: AbortSignal.any([signal, deadline]),
    traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    onAnswer: () => undefined,
    isBackground: true,
  });
  await collect(asker, book, {
    project: asset.name,
    symbol: asset.symbol,
    chain: asset.chain === null ? null : findChain(asset.chain),
    address: asset.address,
    websiteUrl: asset.website,
    registrableDomain: null,
    keys: keysOf(asset),
    learned: {},
  });
  const parts = assemble(asker.answers(), book);
  // Replies shared with a question asked a moment ago are answers here; silence alone is not.
  if (parts.nobodyAnswered && parts.observations.length === 0) return null;
  const asOf = new Date(tools.now()).toISOString();
  return {
    consensus: agree(parts.observations, tools.methodology, asOf),
    observations: parts.observations,
    asOf,
    attributions: parts.attributions,
    notRedistributable: new Set(parts.notRedistributable),
    warnings: parts.sources
      .filter((source) => source.asked > 0 && source.answered < source.asked)
      .map((source) => `${source.name}: ${source.detail ?? source.outcome}`),
  };
}

/** An asset that is indexed is known by its address; registries find it by that, a chain's own coin by its known names. */
function keysOf(asset: Asset): AssetKeys {
  const chain = asset.chain === null ? null : findChain(asset.chain);
  return {
    ...NO_KEYS,
    coingeckoId: asset.address === 'native' ? (chain?.native.coingeckoId ?? null) : null,
    deployments: asset.chain && asset.address ? [{ chain: asset.chain, address: asset.address }] : [],
  };
}
