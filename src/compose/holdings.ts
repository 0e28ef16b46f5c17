import { LRUCache } from 'lru-cache';
import type { HoldingsService } from '../api/index.ts';
import { EVM_CHAINS } from '../chains/index.ts';
import { sourceFor } from '../domain/index.ts';
import {
  createEvmReader,
  createSolanaReader,
  evmHoldings,
  MOST_TOKENS,
  type ReadHoldings,
  solanaHoldings,
} from '../snapshots/index.ts';
import { type Database, knownTokens } from '../store/index.ts';
import { nodesOf } from './chain-reads.ts';
import type { Engine } from './engine.ts';

/** Time for which the holdings of an address are cached, milliseconds; concurrent callers share a read. */
const FRESH_MS = 10_000;
const MOST_KEPT = 500;
const DEADLINE_MS = 25_000;
/** Concurrent reads in this process; each uses several requests of the nodes' budgets. */
const MOST_AT_ONCE = 8;

/** Reads what addresses hold from the operator's nodes; chains without a node are not available. */
export function openHoldings(engine: Pick<Engine, 'book' | 'upstream'>, db: Database): HoldingsService {
  const { book, upstream } = engine;
  const readers = new Map<string, ReadHoldings>();
  const solana = nodesOf(book, sourceFor('solana_node'), ['main', 'second']).map(({ node }) => node);
  if (solana.length > 0) readers.set('solana', solanaHoldings(upstream, solana, createSolanaReader(upstream, solana)));
  for (const chain of EVM_CHAINS) {
    const nodes = nodesOf(book, sourceFor('evm_node'), [chain.name, `${chain.name}_2`]).map(({ node }) => node);
    if (nodes.length === 0) continue;
    const [explorer] = nodesOf(book, sourceFor('explorer'), [chain.name]);
    const blockscout = explorer ? { base: explorer.node.url, secretHeaders: explorer.node.secretHeaders } : null;
    const reader = createEvmReader(upstream, nodes);
    readers.set(chain.name, evmHoldings({ upstream, chain, nodes, reader, blockscout }));
  }
  type Reply = ReturnType<HoldingsService['read']>;
  const kept = new LRUCache<string, Reply & object>({ max: MOST_KEPT, ttl: FRESH_MS });
  let underWay = 0;

  async function read(chain: string, address: string): Reply {
    const reader = readers.get(chain);
    if (reader === undefined) return { ok: false, reason: 'unreachable', detail: `no node of ${chain} is configured` };
    if (underWay >= MOST_AT_ONCE)
      return { ok: false, reason: 'rate_limited', detail: 'other addresses are being read at the moment' };
    underWay += 1;
    try {
      return await reader(address, await knownTokens(db, chain, MOST_TOKENS), AbortSignal.timeout(DEADLINE_MS));
    } finally {
      underWay -= 1;
    }
  }

  return {
    chains: [...readers.keys()],
    async read(chain, address) {
      const name = `${chain} ${address}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      const reading = read(chain, address);
      kept.set(name, reading);
      const drop = () => void (kept.peek(name) === reading && kept.delete(name));
      reading.then(({ ok }) => ok || drop(), drop);
      return reading;
    },
  };
}
