import type { Hex } from '../../chains/index.ts';
import { EVM_CHAINS } from '../../chains/index.ts';
import type { DrainRecord, LaunchRecord } from '../../contract/index.ts';
import { type Asset, type ForensicSubject, sourceFor } from '../../domain/index.ts';
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
import { findLaunch, type LaunchFound, SAME_TIME_MS, type SeenPayment } from './launch-search.ts';
import { OWN_WALLETS, type ReferencePayers, STUDIED_PAYERS } from './null-model.ts';
import { creatorLinks } from './pool-effect.ts';
import { createSolanaHistory } from './solana/history.ts';
import { investigateSolana, solanaSearch } from './solana/investigate.ts';
import type { Funding, Question } from './types.ts';

/** Dependencies of searches of the chains' history. */
export interface SearchTools {
  readonly upstream: Upstream;
  /** Nodes of a chain by its name; an empty list: it cannot be searched. */
  readonly nodesOf: (chain: string) => readonly RpcNode[];
  /** The chain's explorer; null without one. */
  readonly explorerOf: (
    chain: string,
  ) => { readonly base: string; readonly secretHeaders: Readonly<Record<string, string>> } | null;
  readonly llamaCoins: string | null;
  readonly keptPrice: (assetId: string, at: string) => Promise<number | null>;
  readonly attributionOf: (source: string) => { readonly text: string; readonly url: string } | null;
  /** Least milliseconds between two calls of one search, since ratings use the same nodes. */
  readonly everyMs: (chain: string) => number;
  /** First payments to wallets of other assets of the chain, between two times, with which groups are compared. */
  readonly seenPayments: (assetId: string, chain: string, from: string, to: string) => Promise<readonly SeenPayment[]>;
  readonly keepPayments: (assetId: string, payments: readonly SeenPayment[]) => Promise<void>;
  /** Stores the launch of an asset for its ratings. */
  readonly keepLaunch: (assetId: string, launch: KeptLaunch) => Promise<void>;
  readonly now: () => number;
}

/** A launch as ratings read it. */
export interface KeptLaunch {
  readonly record: LaunchRecord;
  /** RFC 3339: when it was read. */
  readonly asOf: string;
  readonly sources: readonly string[];
}

/**
 * Payers of wallets without a known connection, on the chain and around the time of a group's first payments: from
 * earlier searches for other assets or, when these are too few, from a public study. Stores what this search found for
 * later ones.
 */
export async function referenceOf(
  tools: Pick<SearchTools, 'seenPayments' | 'keepPayments' | 'now'>,
  { id, chain }: Asset,
  fundings: readonly Funding[],
): Promise<ReferencePayers> {
  const own = fundings.map(({ wallet, funder, at }) => ({ chain: chain ?? '', wallet, funder, at }));
  await tools.keepPayments(id, own);
  const times = own.map((row) => Date.parse(row.at ?? '')).filter(Number.isFinite);
  const [first, last] = times.length === 0 ? [tools.now(), tools.now()] : [Math.min(...times), Math.max(...times)];
  const iso = (at: number) => new Date(at).toISOString();
  const seen = await tools.seenPayments(id, chain ?? '', iso(first - SAME_TIME_MS), iso(last + SAME_TIME_MS));
  const others = new Map(seen.map((row) => [row.wallet, row.funder]));
  for (const { wallet } of own) others.delete(wallet);
  if (others.size < OWN_WALLETS) return STUDIED_PAYERS;
  const paid = new Map<string, number>();
  for (const funder of others.values()) paid.set(funder, (paid.get(funder) ?? 0) + 1);
  return { wallets: others.size, paid, basis: 'own_searches' };
}

/** Calls of a search that the launch may use, which is read first: the rest remains for the drains. */
export const LAUNCH_CALLS = 200;
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
      calls: bound.requestCount(),
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

/** Searches for who emptied an asset's pools, within the bounds of one search. */
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
  const chainSource = sourceFor(isSolana ? 'solana_node' : 'evm_node');
  const launch = await launchOf(tools, subject, search, question, [chainSource], signal);
  const found = await search.chain.investigate(question);
  const drains = found.pools.flatMap((pool) => pool.drains);
  const links = creatorLinks(question.creator, drains, found.hops, found.fundings, found.services);
  const noPools = { code: 'no_pools', detail: 'the rating’s evidence names no pool of the asset' } as const;
  const priceThen = createPriceThen({ upstream: search.upstream, llamaCoins: tools.llamaCoins, kept: tools.keptPrice });
  const limits = [...(question.pools.length === 0 ? [noPools] : []), ...found.limits, ...launch.limits];
  return drainRecord({
    subject,
    findings: { ...found, limits },
    launch: launch.record,
    links,
    labels,
    priceThen,
    receipts: search.receipts,
    work: search.work,
    chainSource,
    coinDecimals: isSolana ? SOLANA_DECIMALS : EVM_DECIMALS,
    asOf: new Date(tools.now()).toISOString(),
    attributionOf: tools.attributionOf,
    signal,
  });
}

/** Reads the launch of an asset within its part of a search's bounds, and stores it for the asset's ratings. */
async function launchOf(
  tools: SearchTools,
  subject: ForensicSubject,
  search: ReturnType<typeof openSearch>,
  question: Question,
  sources: readonly string[],
  signal: AbortSignal,
): Promise<LaunchFound> {
  const { id, chain } = subject.asset;
  const bounds = {
    ...SEARCH_BOUNDS,
    calls: LAUNCH_CALLS,
    deadlineAt: tools.now() + SEARCH_BOUNDS.milliseconds,
    everyMs: 0,
  };
  const bound = boundUpstream(search.upstream, bounds, tools.now);
  const parts =
    chain === 'solana' ? solanaOf(tools, bound.upstream, signal) : evmOf(tools, bound.upstream, chain ?? '', signal);
  const found = await findLaunch(subject, question, parts.search, (fundings) =>
    referenceOf(tools, subject.asset, fundings),
  );
  if (found.record !== null)
    await tools.keepLaunch(id, { record: found.record, asOf: new Date(tools.now()).toISOString(), sources });
  const spent = bound.spent();
  if (spent === null) return found;
  const detail = `the launch: the ${spent} that it may take were used up before its end`;
  return { ...found, limits: [...found.limits, { code: 'budget_spent', detail }] };
}

/** Reads the launch of an asset alone, for its ratings. Null: the launch could not be read. */
export async function searchLaunch(
  tools: SearchTools,
  subject: ForensicSubject,
  signal: AbortSignal,
): Promise<LaunchRecord | null> {
  const chain = subject.asset.chain ?? '';
  const question = questionOf(subject, labelsOf(subject));
  const sources = [sourceFor(chain === 'solana' ? 'solana_node' : 'evm_node')];
  return (await launchOf(tools, subject, openSearch(tools, chain, signal), question, sources, signal)).record;
}
