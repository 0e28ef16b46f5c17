import { blockscoutHolders } from '../chain/evm/holders/blockscout.ts';
import { loadLedger, saveLedger } from '../chain/evm/holders/ledger.ts';
import { scanTransfers } from '../chain/evm/holders/scan-transfers.ts';
import { verifyLedger } from '../chain/evm/holders/verify.ts';
import { readErc20 } from '../chain/evm/token.ts';
import type { EvmReader, Hex } from '../chain/evm/types.ts';
import { tableFromEntries } from '../chain/holders/balance-table.ts';
import { EVM_KEYS } from '../chain/holders/key-forms.ts';
import { bookOf } from '../chain/holders/labels.ts';
import type { Upstream } from '../upstream/types.ts';
import type { ListHolders } from './holders.ts';
import { listedHolders } from './indexer-holders.ts';

export interface EvmHolderTools {
  readonly upstream: Upstream;
  readonly reader: EvmReader;
  /** True where the operator has a node of his own: all transfers of a token are not asked of a public one. */
  readonly ownNode: boolean;
  readonly reorgDepth: number;
  /** The chain's Blockscout; null where there is none. */
  readonly blockscout: { readonly base: string; readonly secretHeaders: Readonly<Record<string, string>> } | null;
  readonly savedLedger: (assetId: string) => Promise<Uint8Array | null>;
  readonly keepLedger: (assetId: string, ledger: Uint8Array) => Promise<void>;
  readonly now: () => number;
}

const MOST_PAGES = 40;
const ALSO_LOOK = ['0x0000000000000000000000000000000000000000', '0x000000000000000000000000000000000000dead'];
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
    const base = { decimals, labels: bookOf([]), alsoLook: ALSO_LOOK };
    if (tools.ownNode) {
      const scanned = await bringUp(tools, asset.id, token, signal);
      if (scanned.ok) {
        const verified = await verifyLedger(tools.reader, scanned.value, signal);
        if (!verified.ok) return verified;
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
            sources: ['evm_rpc'],
            warnings: [...warnings, ...verified.value.warnings],
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
        const sources = ['blockscout', 'evm_rpc'];
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
    const entries = listed.holders
      .filter((holder) => EVM_KEYS.keyOf(holder.owner) !== null)
      .map(
        (holder) =>
          [holder.owner.toLowerCase(), (supply * BigInt(Math.round(holder.sharePct * 1e7))) / 1_000_000_000n] as const,
      );
    return {
      ok: true,
      value: {
        ...base,
        method: listed.holders.length > 20 ? 'indexer' : 'top20_only',
        table: tableFromEntries(EVM_KEYS, entries),
        holderCount: null,
        supply,
        scan: UNSEEN,
        sources: [listed.source, 'evm_rpc'],
        warnings,
      },
    };
  };
}

async function bringUp(tools: EvmHolderTools, assetId: string, token: Hex, signal: AbortSignal) {
  const saved = await tools.savedLedger(assetId);
  const start = { reader: tools.reader, token, from: null, reorgDepth: tools.reorgDepth, signal };
  const onProgress = (ledger: Parameters<typeof saveLedger>[0]) => tools.keepLedger(assetId, saveLedger(ledger));
  let found = await scanTransfers({ ...start, ledger: saved === null ? null : loadLedger(saved, token), onProgress });
  if (!found.ok && found.reason === 'reorganised') found = await scanTransfers({ ...start, ledger: null, onProgress });
  if (found.ok) await tools.keepLedger(assetId, saveLedger(found.value));
  return found;
}
