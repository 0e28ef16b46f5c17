import { METADATA_PROGRAM } from '../../src/chains/solana.ts';
import { metadataAddress } from '../world/addresses.ts';
import type { BareToken } from '../world/bare.ts';
import type { World } from '../world/world.ts';
import { metadataOf, plainMintBytes, type SolanaAccount, tokenAccountBytes } from './solana_bytes.ts';

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const known = new WeakMap<World, ReadonlyMap<string, SolanaAccount>>();

export function bareMint(world: World, address: string): BareToken | null {
  return world.bare.find((token) => token.chain === 'solana' && token.address === address) ?? null;
}

/** Accounts of the tokens that exist only on the chain: mints, their metadata, holders. */
export function bareAccounts(world: World): ReadonlyMap<string, SolanaAccount> {
  const made = known.get(world);
  if (made) return made;
  const accounts = new Map<string, SolanaAccount>();
  for (const token of world.bare.filter((one) => one.chain === 'solana')) {
    accounts.set(token.address, { owner: TOKEN_PROGRAM, data: plainMintBytes(token.supply, token.decimals) });
    const data = metadataOf(token, '', false, token.holders[0]?.owner ?? token.address);
    accounts.set(metadataAddress(token.address), { owner: METADATA_PROGRAM, data });
    for (const [account, row] of heldOf(token)) accounts.set(account, row);
  }
  known.set(world, accounts);
  return accounts;
}

/** Token accounts of one such mint. */
export function heldOf(token: BareToken): readonly (readonly [string, SolanaAccount])[] {
  return token.holders.map(({ owner, account, amount }) => [
    account,
    { owner: TOKEN_PROGRAM, data: tokenAccountBytes(token.address, owner, amount, false) },
  ]);
}
