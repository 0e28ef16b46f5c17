import type { ChainFault, Hex } from '../chains/index.ts';
import { EVM_BURN_ADDRESSES } from '../chains/index.ts';
import type { Result } from '../domain/index.ts';
import { tellerOf } from '../domain/index.ts';
import { bookOf } from '../metrics/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { blockscoutHolders } from './evm/holders/blockscout.ts';
import type { Ledger } from './evm/holders/ledger.ts';
import { loadLedger, saveLedger } from './evm/holders/saved-ledger.ts';
import { scanTransfers } from './evm/holders/scan-transfers.ts';
import { type Verified, verifyHoldings } from './evm/holders/verify.ts';
import { readErc20 } from './evm/token.ts';
import type { EvmReader } from './evm/types.ts';
import { EVM_KEYS } from './holders/key-forms.ts';
import type { ListHolders } from './holders.ts';
import { listedHolders, tableOfListed } from './indexer-holders.ts';

export interface EvmHolderTools {
  readonly upstream: Upstream;
  readonly reader: EvmReader;
  /** One reader for each node of the operator's own: all transfers of a token are not asked of a public one. */
  readonly ownNodes: readonly EvmReader[];
  readonly reorgDepth: number;
  /** The chain's Blockscout; null where there is none. */
  readonly blockscout: { readonly base: string; readonly secretHeaders: Readonly<Record<string, string>> } | null;
  readonly savedLedger: (assetId: string) => Promise<readonly Uint8Array[] | null>;
  readonly keepLedger: (assetId: string, pages: Iterable<Uint8Array>) => Promise<void>;
  readonly now: () => number;
}

const MOST_PAGES = 40;
const UNSEEN = { accounts: null, height: null, bytes: null, milliseconds: null };

/** All holders from Transfer logs on a node of one's own, else Blockscout's pages, else another indexer's list. */
export function evmHolders(tools: EvmHolderTools): ListHolders {
  return async (asset, gathered, signal) => {
    const token = (asset.address ?? '').toLowerCase() as Hex;
    const startedAt = tools.now();
    const words = await readErc20(tools.reader, token, 'latest', signal);
    if (!words.ok) return words;
    const { supply, decimals, block } = words.value;
    const warnings: string[] = [];
    const base = { decimals, labels: bookOf([]), alsoLook: EVM_BURN_ADDRESSES };
    if (tools.ownNodes.length > 0) {
      const scanned = await scanOwn(tools, asset.id, token, signal);
      if (scanned.ok) {
        const verified = scanned;
        const milliseconds = tools.now() - startedAt;
        return {
          ok: true,
          value: {
            ...base,
            method: 'full_scan',
            table: verified.value.table,
            holderCount: null,
            supply: verified.value.token.supply,
            scan: {
              accounts: verified.value.table.count,
              height: verified.value.token.block,
              bytes: null,
              milliseconds,
            },
            sources: [tellerOf('evm_node')],
            doubtful: !verified.value.holds,
            warnings: verified.value.warnings,
          },
        };
      }
      if (scanned.reason === 'cancelled' || scanned.reason === 'not_found') return scanned;
      warnings.push(`the transfers could not be read: ${scanned.detail}`);
    }
    if (tools.blockscout !== null) {
      const pages = await blockscoutHolders(
        { upstream: tools.upstream, ...tools.blockscout, token, mostPages: MOST_PAGES },
        signal,
      );
      if (pages.ok) {
        const { table, holderCount } = pages.value;
        const sources = [tellerOf('explorer'), tellerOf('evm_node')];
        return {
          ok: true,
          value: {
            ...base,
            method: 'indexer',
            table,
            holderCount,
            supply,
            scan: { ...UNSEEN, height: block },
            sources,
            warnings,
          },
        };
      }
      warnings.push(`Blockscout gave no list: ${pages.detail}`);
    }
    const listed = gathered === null ? null : listedHolders(gathered.consensus);
    if (listed === null)
      return { ok: false, reason: 'unreachable', detail: warnings.join('; ') || 'nobody lists its holders' };
    return {
      ok: true,
      value: {
        ...base,
        method: listed.holders.length > 20 ? 'indexer' : 'top20_only',
        table: tableOfListed(EVM_KEYS, supply, listed.holders),
        holderCount: null,
        supply,
        scan: UNSEEN,
        sources: [listed.source, tellerOf('evm_node')],
        warnings: [...warnings, 'amounts are computed from percentages that the source rounded: they are not exact'],
      },
    };
  };
}

/** A save of millions of owners takes seconds: no more often than this. */
const SAVE_EVERY_MS = 60_000;

/** Scan and check on the first own node that can do both: one pass never mixes two nodes' views of the chain. */
async function scanOwn(
  tools: EvmHolderTools,
  assetId: string,
  token: Hex,
  signal: AbortSignal,
): Promise<Result<Verified, ChainFault>> {
  let last: Result<Verified, ChainFault> = { ok: false, reason: 'unreachable', detail: 'no node was asked' };
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
