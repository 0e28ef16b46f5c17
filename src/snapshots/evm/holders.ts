import { type ChainFault, EVM_BURN_ADDRESSES, fault, type Hex } from '../../chains/index.ts';
import { ok, type Result, sourceFor } from '../../domain/index.ts';
import { bookOf } from '../../metrics/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { EVM_KEYS, topHolders } from '../holders/balance-table.ts';
import { type ListHolders, listedHolders, tableOfListed } from '../holders/list.ts';
import { NOT_COUNTED } from '../holders/snapshot.ts';
import { blockscoutHolders } from './blockscout.ts';
import {
  type Erc20,
  type Holdings,
  type Ledger,
  loadLedger,
  readBalances,
  readErc20,
  saveLedger,
  tableOf,
} from './ledger.ts';
import type { EvmReader } from './reader.ts';
import { scanTransfers } from './scan-transfers.ts';

export interface EvmHolderTools {
  readonly upstream: Upstream;
  readonly reader: EvmReader;
  /** One reader for each of the operator's nodes: requests for all transfers are not sent to public nodes. */
  readonly ownNodes: readonly EvmReader[];
  readonly reorgDepth: number;
  /** The chain's Blockscout; null without one. */
  readonly blockscout: { readonly base: string; readonly secretHeaders: Readonly<Record<string, string>> } | null;
  readonly savedLedger: (assetId: string) => Promise<readonly Uint8Array[] | null>;
  readonly keepLedger: (assetId: string, pages: Iterable<Uint8Array>) => Promise<void>;
  readonly now: () => number;
}

const MOST_PAGES = 40;

/** All holders from Transfer logs of an own node, else from Blockscout's pages, else from another indexer's list. */
export function evmHolders(tools: EvmHolderTools): ListHolders {
  return async (asset, gathered, signal) => {
    const token = (asset.address ?? '').toLowerCase() as Hex;
    const startedAt = tools.now();
    const stated = await readErc20(tools.reader, token, 'latest', signal);
    if (!stated.ok) return stated;
    const { supply, decimals, block } = stated.value;
    const node = sourceFor('evm_node');
    const warnings: string[] = [];
    const base = { decimals, supply, holderCount: null, labels: bookOf([]), alsoLook: EVM_BURN_ADDRESSES, warnings };
    if (tools.ownNodes.length > 0) {
      const scanned = await scanOwn(tools, asset.id, token, signal);
      if (scanned.ok) {
        const { table, token: scannedToken, holds, warnings: found } = scanned.value;
        const milliseconds = tools.now() - startedAt;
        return ok({
          ...base,
          method: 'full_scan',
          table,
          supply: scannedToken.supply,
          scan: { accounts: table.count, height: scannedToken.block, bytes: null, milliseconds },
          sources: [node],
          doubtful: !holds,
          warnings: found,
        });
      }
      if (scanned.reason === 'cancelled' || scanned.reason === 'not_found') return scanned;
      warnings.push(`the transfers could not be read: ${scanned.detail}`);
    }
    if (tools.blockscout !== null) {
      const blockscout = { upstream: tools.upstream, ...tools.blockscout };
      const pages = await blockscoutHolders(blockscout, { token, mostPages: MOST_PAGES }, signal);
      if (pages.ok) {
        const { table, holderCount } = pages.value;
        const scan = { ...NOT_COUNTED, height: block };
        return ok({ ...base, method: 'indexer', table, holderCount, scan, sources: [sourceFor('explorer'), node] });
      }
      warnings.push(`Blockscout gave no list: ${pages.detail}`);
    }
    const listed = gathered === null ? null : listedHolders(gathered.consensus);
    if (listed === null) return fault('unreachable', warnings.join('; ') || 'nobody lists its holders');
    return ok({
      ...base,
      method: listed.holders.length > 20 ? 'indexer' : 'top20_only',
      table: tableOfListed(EVM_KEYS, supply, listed.holders),
      scan: NOT_COUNTED,
      sources: [listed.source, node],
      warnings: [...warnings, 'amounts are computed from percentages that the source rounded: they are not exact'],
    });
  };
}

/** Least time between two saves, since saving millions of owners takes seconds. */
const SAVE_EVERY_MS = 60_000;

/** Scans and checks on the first own node that can do both: a pass never mixes the states of two nodes. */
async function scanOwn(
  tools: EvmHolderTools,
  assetId: string,
  token: Hex,
  signal: AbortSignal,
): Promise<Result<Verified, ChainFault>> {
  let last: Result<Verified, ChainFault> = fault('unreachable', 'no node was asked');
  for (const reader of tools.ownNodes) {
    const scanned = await bringUp(tools, reader, assetId, token, signal);
    last = scanned.ok ? await verifyHoldings(reader, scanned.value, signal) : scanned;
    if (last.ok || last.reason === 'cancelled' || last.reason === 'not_found') return last;
  }
  return last;
}

async function bringUp(tools: EvmHolderTools, reader: EvmReader, assetId: string, token: Hex, signal: AbortSignal) {
  const saved = await tools.savedLedger(assetId);
  let savedAt = tools.now();
  const save = async (ledger: Ledger) => {
    await tools.keepLedger(assetId, saveLedger(ledger));
    savedAt = tools.now();
  };
  const start = {
    reader,
    token,
    from: null,
    reorgDepth: tools.reorgDepth,
    signal,
    onProgress: async (ledger: Ledger) => {
      if (tools.now() - savedAt >= SAVE_EVERY_MS) await save(ledger);
    },
  };
  let found = await scanTransfers({ ...start, ledger: saved === null ? null : loadLedger(saved, token) });
  if (!found.ok && found.reason === 'reorganised') found = await scanTransfers({ ...start, ledger: null });
  if (found.ok) await save(found.value.ledger);
  return found;
}

export interface Verified {
  readonly token: Erc20;
  readonly table: ReturnType<typeof tableOf>['table'];
  /** Owners for which the token states another balance: rebasing, a fee on transfer, or missing logs. */
  readonly mismatches: number;
  /** Owners whose balance the token stated. */
  readonly checked: number;
  /** False when the list cannot be considered complete: balances differ, cannot be checked, or are negative. */
  readonly holds: boolean;
  readonly warnings: readonly string[];
}

const CHECKED = 100;

/** Compares holdings with the token's own functions at the same block: its supply, and its largest balances. */
export async function verifyHoldings(
  reader: EvmReader,
  holdings: Holdings,
  signal?: AbortSignal,
): Promise<Result<Verified, ChainFault>> {
  const block = holdings.at.number;
  const token = await readErc20(reader, holdings.ledger.token, block, signal);
  if (!token.ok) return token;
  const { table, hasHoles } = tableOf(holdings);
  const top = topHolders(table, CHECKED);
  const read = await readBalances(
    reader,
    holdings.ledger.token,
    top.map((holder) => holder.address as Hex),
    block,
    signal,
  );
  if (!read.ok) return read;
  const told = top.filter((_holder, index) => read.value[index] !== null).length;
  const mismatches = top.filter((holder, index) => {
    const said = read.value[index];
    return said !== null && said !== holder.balance;
  }).length;
  const warnings = [
    ...(hasHoles ? ['some owner sent more than it had received: transfers are missing from the logs'] : []),
    ...(mismatches > 0
      ? [
          `${mismatches} of the ${told} largest balances are not what the transfers say: the token rebases, takes a fee, or logs are missing`,
        ]
      : []),
    ...(told < top.length ? [`the token did not tell ${top.length - told} of the ${top.length} largest balances`] : []),
  ];
  const holds = !hasHoles && mismatches === 0 && told === top.length;
  return ok({ token: token.value, table, mismatches, checked: told, holds, warnings });
}
