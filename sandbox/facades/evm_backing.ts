import { backingRow, isShown } from '../../src/sources/backing/rows.ts';
import type { Scene } from '../scene.ts';
import type { SandboxAsset } from '../world/types.ts';
import { rawUnits } from './evm_world.ts';

/** Share of Lido's coins in its contract, not sent to validators. */
const NOT_STAKED = 0.02;
const VALIDATORS = 280_000n;
const SATOSHI = 10n ** 10n;

/** Coins that back an asset, with 18 decimals; null where its contracts show nothing. */
function backingOf(asset: SandboxAsset | null): bigint | null {
  if (asset?.redemption === undefined || asset.backing === undefined) return null;
  return rawUnits(asset.totalSupply * asset.redemption.rate * asset.backing, 18);
}

/** Balance of an account in the chain's own coin: what a wrapper or a staking contract holds; one coin for all others. */
export function coinBalance(scene: Scene, chain: string, account: string): bigint {
  const asset = scene.world.byAddress(chain, account.toLowerCase());
  const row = asset && backingRow(chain, asset.address);
  const held = backingOf(asset);
  if (!row?.held.some((part) => isShown(part) && part.asset === 'coin') || held === null) return 10n ** 18n;
  return row.stated_by === undefined ? held : (held * BigInt(NOT_STAKED * 100)) / 100n;
}

/** Statement of the token's own contract about its backing; null for any other call. */
export function statedBacking(asset: SandboxAsset, name: string): unknown {
  const held = backingOf(asset);
  if (held === null) return null;
  if (name === 'getBeaconStat') return [VALIDATORS, VALIDATORS, held - (held * BigInt(NOT_STAKED * 100)) / 100n];
  return name === 'getExternalEther' ? 0n : null;
}

/** Replies of another contract that a row of the backing list names; null where there is none at the address. */
export function backingContract(scene: Scene, chain: string, address: string): ((name: string) => unknown) | null {
  const asset = scene.world.tokens.find(
    (row) =>
      row.chain === chain &&
      row.address !== address &&
      row.backing !== undefined &&
      backingRow(chain, row.address)?.held.some((part) => !isShown(part) && part.at === address),
  );
  if (asset === undefined) return null;
  const held = backingOf(asset);
  return (name) => (name === 'getUint' ? held : name === 'balanceOf' && held !== null ? held / SATOSHI : null);
}
