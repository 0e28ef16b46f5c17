import type { Config } from '../config/index.ts';
import { tellerOf } from '../domain/index.ts';
import type { SnapshotReader } from '../indexer/index.ts';
import { createForensics, type Forensics, SEARCHES_AT_ONCE } from '../snapshots/index.ts';
import type { Store } from '../store/index.ts';
import { priceAt } from '../store/index.ts';
import type { Engine } from './engine.ts';
import { newestHolders } from './kept-snapshots.ts';
import { nodesOf } from './nodes.ts';

const PRICE_WITHIN_SECONDS = 3_600;
/** All searches together take half of the calls a minute that a public node is asked at most: the rest is the ratings'. */
const SHARE_OF_BUDGET = 0.5;
const CAREFUL_PER_MINUTE = 100;

/** Searches through the chains' past, on an engine; holders and prices of then come from the store where they are kept. */
export function openForensics(parts: {
  readonly config: Config;
  readonly engine: Engine;
  readonly store: Store;
  readonly snapshots: Pick<SnapshotReader, 'latest'>;
  readonly now: () => number;
  readonly onError: (error: unknown, what: string) => void;
}): Forensics {
  const { config, engine, store, snapshots, now, onError } = parts;
  const { book } = engine;
  const llama = book.get(tellerOf('past_prices'));
  const configured = (chain: string) =>
    chain === 'solana'
      ? [
          ...nodesOf(book, tellerOf('paged_accounts'), ['main']),
          ...nodesOf(book, tellerOf('solana_node'), ['main', 'second']),
        ]
      : nodesOf(book, tellerOf('evm_node'), [chain, `${chain}_2`]);
  return createForensics({
    upstream: engine.upstream,
    nodesOf: (chain) => configured(chain).map(({ node }) => node),
    explorerOf(chain) {
      const [found] = nodesOf(book, tellerOf('explorer'), [chain]);
      return found ? { base: found.node.url, secretHeaders: found.node.secretHeaders } : null;
    },
    llamaCoins: llama?.enabled ? (llama.bases.coins ?? null) : null,
    keptPrice: async (assetId, at) => (await priceAt(store.db, assetId, at, PRICE_WITHIN_SECONDS))?.priceUsd ?? null,
    attributionOf: (source) => book.get(source)?.source.terms.attribution ?? null,
    everyMs(chain) {
      const [first] = configured(chain);
      if (config.dataMode === 'sandbox' || first === undefined || first.own) return 0;
      const perMinute = book.get(first.node.label)?.source.budget.perMinute ?? CAREFUL_PER_MINUTE;
      return (60_000 / (perMinute * SHARE_OF_BUDGET)) * SEARCHES_AT_ONCE;
    },
    now,
    holders: (assetId) => newestHolders(snapshots, assetId),
    onError,
  });
}
