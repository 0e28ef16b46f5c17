import type { Hex } from '../../chains/index.ts';
import { EVM_CHAINS } from '../../chains/index.ts';
import type { DrainRecord } from '../../contract/index.ts';
import type { ForensicSubject } from '../../domain/index.ts';
import { tellerOf } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { createExplorer } from '../evm/blockscout.ts';
import { createEvmReader } from '../evm/reader.ts';
import type { RpcNode } from '../json-rpc.ts';
import { createSolanaReader } from '../solana/reader.ts';
import { boundUpstream, createPriceThen } from './bounded-upstream.ts';
import { drainRecord } from './drain-record.ts';
import { createEvmHistory } from './evm/history.ts';
import { evmSearch, investigateEvm } from './evm/investigate.ts';
import { labelsOf, questionOf } from './investigate.ts';
import { creatorLinks } from './pool-effect.ts';
import { createSolanaHistory } from './solana/history.ts';
import { investigateSolana, solanaSearch } from './solana/investigate.ts';
import type { Question } from './types.ts';

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
  /** Least milliseconds between two calls of one search: ratings use the same nodes. */
  readonly everyMs: (chain: string) => number;
  readonly now: () => number;
}

export const SEARCH_BOUNDS = { calls: 400, bytes: 128 * 1024 * 1024, milliseconds: 300_000 };
const DAY_SECONDS = 86_400;
const SOLANA_DECIMALS = 9;
const EVM_DECIMALS = 18;

/** The parts of one bounded search on one chain. */
export function openSearch(tools: SearchTools, chain: string, signal: AbortSignal) {
  const startedAt = tools.now();
  const { calls, bytes, milliseconds } = SEARCH_BOUNDS;
  const bounds = { calls, bytes, deadlineAt: startedAt + milliseconds, everyMs: tools.everyMs(chain) };
  const bound = boundUpstream(tools.upstream, bounds, tools.now);
  return {
    chain: chain === 'solana' ? solanaOf(tools, bound.upstream, signal) : evmOf(tools, bound.upstream, chain, signal),
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

function solanaOf(tools: SearchTools, upstream: Upstream, signal: AbortSignal) {
  const nodes = tools.nodesOf('solana');
  const parts = { reader: createSolanaReader(upstream, nodes), history: createSolanaHistory(upstream, nodes) };
  return {
    investigate: (question: Question) => investigateSolana(parts, question, signal),
    search: solanaSearch(parts, signal),
  };
}

function evmOf(tools: SearchTools, upstream: Upstream, chain: string, signal: AbortSignal) {
  const nodes = tools.nodesOf(chain);
  const row = EVM_CHAINS.find((one) => one.name === chain);
  const explorer = tools.explorerOf(chain);
  const parts = {
    reader: createEvmReader(upstream, nodes),
    history: createEvmHistory(upstream, nodes),
    explorer: explorer === null ? null : createExplorer({ upstream, ...explorer }),
    wrappedCoin: (row?.wrappedNative.address as Hex | undefined) ?? null,
    blocksPerDay: Math.round(DAY_SECONDS / (row?.blockSeconds ?? 12)),
  };
  return {
    investigate: (question: Question) => investigateEvm(parts, question, signal),
    search: evmSearch(parts, signal),
  };
}

/** Looks into who emptied an asset's pools, within the bounds of one search. */
export async function searchDrains(
  tools: SearchTools,
  subject: ForensicSubject,
  signal: AbortSignal,
): Promise<DrainRecord> {
  const chain = subject.asset.chain ?? '';
  const search = openSearch(tools, chain, signal);
  const labels = labelsOf(subject);
  const question = questionOf(subject, labels);
  const isSolana = chain === 'solana';
  const found = await search.chain.investigate(question);
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
