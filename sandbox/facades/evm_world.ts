import { CHAINS, type Chain } from '../../src/chains/index.ts';
import { evmAddress } from '../world/addresses.ts';
import { EVM_DEAD, EVM_LOCKER } from '../world/holders.ts';
import type { SandboxAsset } from '../world/types.ts';

/** `ethereum_2` is a second operator of `ethereum`. */
export function chainOfBase(base: string): Chain {
  const name = base.replace(/_2$/, '');
  const chain = CHAINS.find((row) => row.name === name);
  if (!chain) throw new Error(`no chain called ${base}`);
  return chain;
}

/** Raw units of an amount of whole tokens; thousandths are kept. */
export function rawUnits(whole: number, decimals: number): bigint {
  return (BigInt(Math.round(whole * 1000)) * 10n ** BigInt(decimals)) / 1000n;
}

/** LP tokens of a pair: who holds which share. */
export function lpOwners(
  asset: SandboxAsset,
): readonly { readonly owner: string; readonly share: number; readonly locked: boolean; readonly tag: string }[] {
  const { lpLockedShare, lpCreatorShare } = asset.traits;
  return [
    { owner: EVM_DEAD, share: lpLockedShare * 0.4, locked: true, tag: 'Null Address' },
    { owner: EVM_LOCKER, share: lpLockedShare * 0.6, locked: true, tag: 'UNCX' },
    { owner: asset.creator, share: lpCreatorShare, locked: false, tag: '' },
    {
      owner: evmAddress(asset.slug, 'lp-provider'),
      share: Math.max(0, 1 - lpLockedShare - lpCreatorShare),
      locked: false,
      tag: '',
    },
  ].filter((row) => row.share > 0);
}
