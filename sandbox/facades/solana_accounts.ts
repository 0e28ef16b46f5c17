import { addressBytes } from '../../src/chains/codecs/accounts.ts';
import { METADATA_PROGRAM } from '../../src/chains/solana.ts';
import type { Scene } from '../scene.ts';
import { metadataAddress, solanaAccount } from '../world/addresses.ts';
import { SOLANA_INCINERATOR, STREAMFLOW_PROGRAM, SYSTEM_PROGRAM } from '../world/holders.ts';
import type { PoolSpec, SandboxAsset } from '../world/types.ts';
import { LP_SUPPLY, metadataBytes, mintBytes, type SolanaAccount, tokenAccountBytes } from './solana_bytes.ts';
import { poolAccounts } from './solana_pools.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

/** Token accounts of the small holders, who are many and only ever listed together. */
export function crowdAccounts(scene: Scene, asset: SandboxAsset): readonly (readonly [string, SolanaAccount])[] | null {
  const owner = asset.traits.token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const crowd = scene.world.crowd(asset, scene.now);
  if (crowd === null) return null;
  return crowd.flatMap((small) =>
    small.accounts.map(
      ({ address, amount }) =>
        [
          address,
          { owner, data: tokenAccountBytes(asset.address, small.owner, amount, asset.traits.token2022) },
        ] as const,
    ),
  );
}

/** All accounts around an asset, by address: its mint, metadata, holders, pools, LP mints and their holders. */
export function accountsOf(scene: Scene, asset: SandboxAsset): ReadonlyMap<string, SolanaAccount> {
  const accounts = new Map<string, SolanaAccount>();
  const program = asset.traits.token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  accounts.set(asset.address, { owner: program, data: mintBytes(asset, supplyOf(scene, asset)) });
  if (!asset.traits.token2022) {
    accounts.set(metadataAddress(asset.address), { owner: METADATA_PROGRAM, data: metadataBytes(asset) });
  }
  for (const holder of scene.world.holders(asset, scene.now)) {
    accounts.set(holder.tokenAccount, {
      owner: program,
      data: tokenAccountBytes(asset.address, holder.owner, holder.amount, asset.traits.token2022),
    });
    accounts.set(holder.owner, ownerAccount(holder.program));
  }
  accounts.set(asset.creator, ownerAccount(SYSTEM_PROGRAM));
  for (const [controller, role] of [
    [asset.traits.mintAuthority, 'mint'],
    [asset.traits.freezeAuthority, 'freeze'],
  ] as const) {
    const address = asset.controller(controller, role);
    if (address !== null) {
      accounts.set(
        address,
        controller === 'eoa'
          ? ownerAccount(SYSTEM_PROGRAM)
          : { owner: controllerProgram(controller), data: Buffer.alloc(200, 16) },
      );
    }
  }
  const anchored = scene.world.chainMarket(asset, scene.world.anchor).pools;
  for (const [index, row] of scene.world.chainMarket(asset, scene.now).pools.entries()) {
    const { pool } = row;
    for (const [address, account] of poolAccounts(asset, pool, anchored[index] ?? row, row))
      accounts.set(address, account);
    const quoteRaw = BigInt(Math.round(row.quoteAmount * 10 ** pool.quote.decimals));
    accounts.set(pool.quoteVault, {
      owner: TOKEN_PROGRAM,
      data: tokenAccountBytes(pool.quote.address, pool.authority, quoteRaw, false),
    });
    if (pool.kind !== 'constant_product') continue;
    accounts.set(pool.lpMint, { owner: TOKEN_PROGRAM, data: lpMintBytes(asset) });
    for (const lp of lpHolders(asset, pool)) {
      accounts.set(lp.tokenAccount, {
        owner: TOKEN_PROGRAM,
        data: tokenAccountBytes(pool.lpMint, lp.owner, lp.amount, false),
      });
      accounts.set(lp.owner, ownerAccount(lp.program));
    }
  }
  return accounts;
}

/** Raw supply as the chain states it. */
export function supplyOf(scene: Scene, asset: SandboxAsset): bigint {
  const view = scene.see('solana_rpc', asset);
  return (BigInt(Math.round(view.totalSupply * 1000)) * 10n ** BigInt(asset.decimals)) / 1000n;
}

/** LP tokens are held by the incinerator, a locker, the creator and another wallet. */
export function lpHolders(asset: SandboxAsset, pool: PoolSpec) {
  const { lpLockedShare, lpCreatorShare } = asset.traits;
  const rows = [
    { owner: SOLANA_INCINERATOR, program: SYSTEM_PROGRAM, share: lpLockedShare * 0.9 },
    { owner: solanaAccount(pool.address, 'lp-locker'), program: STREAMFLOW_PROGRAM, share: lpLockedShare * 0.1 },
    { owner: asset.creator, program: SYSTEM_PROGRAM, share: lpCreatorShare },
    {
      owner: solanaAccount(pool.address, 'lp-provider'),
      program: SYSTEM_PROGRAM,
      share: Math.max(0, 1 - lpLockedShare - lpCreatorShare),
    },
  ];
  return rows
    .filter((row) => row.share > 0)
    .map((row, index) => ({
      ...row,
      tokenAccount: solanaAccount(pool.address, 'lp-account', index),
      amount: (LP_SUPPLY * BigInt(Math.round(row.share * 1e6))) / 1_000_000n,
    }));
}

function controllerProgram(controller: string): string {
  return controller === 'multisig'
    ? 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf'
    : 'GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw';
}

function ownerAccount(program: string): SolanaAccount {
  return { owner: program, data: program === SYSTEM_PROGRAM ? Buffer.alloc(0) : Buffer.alloc(300, 1) };
}

function lpMintBytes(asset: SandboxAsset): Buffer {
  const plain = {
    ...asset,
    decimals: 9,
    traits: { ...asset.traits, token2022: false, mintAuthority: 'none', freezeAuthority: 'none' },
  } as const;
  return mintBytes(plain, LP_SUPPLY);
}

/** True for text that is a Solana address. */
export function isSolanaAddress(text: unknown): text is string {
  return typeof text === 'string' && addressBytes(text) !== null;
}
