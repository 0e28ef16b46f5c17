import { agree } from '../../src/consensus/agree.ts';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../../src/contract/index.ts';
import type { Asset } from '../../src/domain/asset.ts';
import { type ConsensusSet, consensusKey } from '../../src/domain/consensus.ts';
import type { Observation } from '../../src/domain/observation.ts';
import { loadMethodology } from '../../src/methodology/load.ts';
import type { Gathered } from '../../src/snapshots/gather.ts';
import { EVM_KEYS, SOLANA_KEYS, tableFromEntries } from '../../src/snapshots/holders/balance-table.ts';
import { holdersOf, listedHolders } from '../../src/snapshots/holders/list.ts';
import { marketOf } from '../../src/snapshots/market/snapshot.ts';
import { poolsOfEvidence } from '../../src/snapshots/pools/snapshot.ts';

export interface EvidenceSnapshots {
  readonly consensus: ConsensusSet;
  readonly market: MarketSnapshot;
  readonly pools: PoolsSnapshot;
  /** Null where no source lists holders. */
  readonly holders: HoldersSnapshot | null;
}

/** The snapshots that the collector makes of the very observations a rating was made of: no chain is read beside them. */
export async function snapshotsOf(
  asset: Asset,
  observations: readonly Observation[],
  asOf: string,
): Promise<EvidenceSnapshots> {
  const methodology = loadMethodology();
  const consensus = agree(observations, methodology, asOf);
  const gathered: Gathered = {
    consensus,
    observations,
    asOf,
    attributions: [],
    notRedistributable: new Set(),
    warnings: [],
  };
  const listed = listedHolders(consensus);
  const supply = Number(consensus[consensusKey('total_supply')]?.value ?? 0);
  const decimals = 9;
  const raw = BigInt(Math.round(supply * 1e3)) * 10n ** BigInt(decimals - 3);
  const form = asset.chain === 'solana' ? SOLANA_KEYS : EVM_KEYS;
  const rows = (listed?.holders ?? []).flatMap(({ owner, sharePct }) => {
    const address = asset.chain === 'solana' ? owner : owner.toLowerCase();
    return form.keyOf(address) === null
      ? []
      : [[address, (raw * BigInt(Math.round(sharePct * 1e7))) / 1_000_000_000n] as const];
  });
  return {
    consensus,
    market: marketOf(asset, gathered, []),
    pools: poolsOfEvidence(asset, gathered),
    holders:
      listed === null || supply === 0
        ? null
        : holdersOf(
            asset,
            {
              method: 'indexer',
              table: tableFromEntries(form, rows),
              holderCount: null,
              supply: raw,
              decimals,
              labels: { labelsOf: () => [] },
              alsoLook: [],
              scan: { accounts: null, height: null, bytes: null, milliseconds: null },
              sources: [listed.source],
              warnings: [],
            },
            gathered,
            asOf,
            null,
            methodology.holders,
          ),
  };
}
