import type { Hex } from '../../chains/index.ts';
import { EVM_CHAINS } from '../../chains/index.ts';
import type { DrainRecord } from '../../contract/index.ts';
import type { ForensicSubject } from '../../domain/index.ts';
import { tellerOf } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { createEvmReader } from '../evm/reader.ts';
import type { RpcNode } from '../json-rpc.ts';
import { createSolanaReader } from '../solana/reader.ts';
import { boundUpstream } from './bounded-upstream.ts';
import { drainRecord } from './drain-record.ts';
import { createExplorer } from './evm/explorer.ts';
import { createEvmHistory } from './evm/history.ts';
import { type EvmTools, investigateEvm } from './evm/investigate.ts';
import { creatorLinks } from './links.ts';
import { createPriceThen } from './prices-then.ts';
import { createSolanaHistory } from './solana/history.ts';
import { investigateSolana, type SolanaTools } from './solana/investigate.ts';
import { labelsOf, questionOf } from './subject.ts';

/** What searches through a chain's past need. */
export interface SearchTools {
  readonly upstream: Upstream;
  /** Nodes of a chain by its name; none: it cannot be searched. */
  readonly nodesOf: (chain: string) => readonly RpcNode[];
  /** The chain's explorer; null where there is none. */
  readonly explorerOf: (
    chain: string,
  ) => { readonly base: string; readonly secretHeaders: Readonly<Record<string, string>> } | null;
  readonly llamaCoins: string | null;
  readonly keptPrice: (assetId: string, at: string) => Promise<number | null>;
  readonly attributionOf: (source: string) => { readonly text: string; readonly url: string } | null;
  /** Least milliseconds between two calls of one search: ratings ask the same nodes. */
  readonly everyMs: (chain: string) => number;
  readonly now: () => number;
}

export const SEARCH_BOUNDS = { calls: 400, bytes: 128 * 1024 * 1024, milliseconds: 300_000 };
const DAY_SECONDS = 86_400;
const SOLANA_DECIMALS = 9;
const EVM_DECIMALS = 18;

/** The parts of one bounded search on one chain. */
export function openSearch(tools: SearchTools, chain: string) {
  const startedAt = tools.now();
  const { calls, bytes, milliseconds } = SEARCH_BOUNDS;
  const bounds = { calls, bytes, deadlineAt: startedAt + milliseconds, everyMs: tools.everyMs(chain) };
  const bound = boundUpstream(tools.upstream, bounds, tools.now);
  return {
    solana: () => solanaTools(tools, bound.upstream),
    evm: () => evmTools(tools, bound.upstream, chain),
    upstream: bound.upstream,
    receipts: bound.receipts,
    work: () => ({
      calls: bound.asked(),
      bytes: bound.receipts().reduce((sum, receipt) => sum + receipt.bytes, 0),
      milliseconds: tools.now() - startedAt,
      ended: bound.spent() ?? ('complete' as const),
    }),
  };
}

function solanaTools(tools: SearchTools, upstream: Upstream): SolanaTools {
  const nodes = tools.nodesOf('solana');
  return { reader: createSolanaReader(upstream, nodes), history: createSolanaHistory(upstream, nodes) };
}

function evmTools(tools: SearchTools, upstream: Upstream, chain: string): EvmTools {
  const nodes = tools.nodesOf(chain);
  const row = EVM_CHAINS.find((one) => one.name === chain);
  const explorer = tools.explorerOf(chain);
  return {
    reader: createEvmReader(upstream, nodes),
    history: createEvmHistory(upstream, nodes),
    explorer: explorer === null ? null : createExplorer({ upstream, ...explorer }),
    wrappedCoin: (row?.wrappedNative as Hex | undefined) ?? null,
    blocksPerDay: Math.round(DAY_SECONDS / (row?.blockSeconds ?? 12)),
  };
}

/** Looks into who emptied an asset's pools, within the bounds of one search. */
export async function searchDrains(
  tools: SearchTools,
  subject: ForensicSubject,
  signal: AbortSignal,
): Promise<DrainRecord> {
  const chain = subject.asset.chain ?? '';
  const search = openSearch(tools, chain);
  const labels = labelsOf(subject);
  const question = questionOf(subject, labels);
  const isSolana = chain === 'solana';
  const found = isSolana
    ? await investigateSolana(search.solana(), question, signal)
    : await investigateEvm(search.evm(), question, signal);
  const drains = found.pools.flatMap((pool) => pool.drains);
  const links = creatorLinks(question.creator, drains, found.hops, found.fundings, found.services);
  const noPools = { code: 'no_pools', detail: 'the rating’s evidence names no pool of the asset' } as const;
  const priceThen = createPriceThen({ upstream: search.upstream, llamaCoins: tools.llamaCoins, kept: tools.keptPrice });
  return drainRecord({
    subject,
    findings: question.pools.length === 0 ? { ...found, limits: [noPools, ...found.limits] } : found,
    links,
    labels,
    priceThen,
    receipts: search.receipts,
    work: search.work,
    chainSource: tellerOf(isSolana ? 'solana_node' : 'evm_node'),
    coinDecimals: isSolana ? SOLANA_DECIMALS : EVM_DECIMALS,
    asOf: new Date(tools.now()).toISOString(),
    attributionOf: tools.attributionOf,
    signal,
  });
}
