import { evmAddress, solanaAccount } from './addresses.ts';
import { seededUnit } from './random.ts';
import type { SandboxAsset, SandboxHolder } from './types.ts';

/** A small holder: one of the many that no list of the largest names. */
export interface SmallHolder {
  readonly owner: string;
  /** Solana: token accounts; some owners have two. */
  readonly accounts: readonly { readonly address: string; readonly amount: bigint }[];
  readonly amount: bigint;
}

/** Assets of more holders are not listed whole here: nodes refuse such lists, and so does this world's. */
export const MOST_LISTED = 4_000;

/** Supply of an asset in base units. */
export function rawSupply(asset: SandboxAsset): bigint {
  return (BigInt(Math.round(asset.totalSupply * 1000)) * 10n ** BigInt(asset.decimals)) / 1000n;
}

/**
 * Everybody below the largest holders, so that all balances add up to the supply to the base unit. What the crowd holds
 * was dealt at the world's anchor; what the largest have gained or lost since then goes to or comes from its first
 * members. Null for assets of too many holders.
 */
export function crowdOf(
  seed: number,
  asset: SandboxAsset,
  dealt: readonly SandboxHolder[],
  top: readonly SandboxHolder[],
): readonly SmallHolder[] | null {
  if (asset.holders > MOST_LISTED) return null;
  const sum = (holders: readonly SandboxHolder[]) => holders.reduce((total, holder) => total + holder.amount, 0n);
  const room = rawSupply(asset) - sum(dealt);
  const count = Math.max(1, asset.holders - dealt.length);
  const amounts = deal(seed, asset, room, count);
  adjust(amounts, rawSupply(asset) - sum(top) - room);
  const address = asset.chain === 'solana' ? solanaAccount : evmAddress;
  return amounts.map((amount, index) => {
    const owner = address(seed, asset.slug, 'crowd', index);
    const split = asset.chain === 'solana' && index % 11 === 5 ? amount / 3n : 0n;
    const account = (part: string, of: bigint) => ({
      address: solanaAccount(seed, asset.slug, 'crowd', index, part),
      amount: of,
    });
    const accounts =
      asset.chain === 'solana'
        ? [account('first', amount - split), ...(split > 0n ? [account('second', split)] : [])]
        : [];
    return { owner, accounts, amount };
  });
}

function deal(seed: number, asset: SandboxAsset, room: bigint, count: number): bigint[] {
  if (room <= 0n) return Array.from({ length: count }, () => 0n);
  const weights = Array.from({ length: count }, (_, index) =>
    BigInt(Math.round(1e6 * (0.2 + seededUnit(seed, asset.slug, 'crowd', index)))),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const amounts = weights.map((weight) => (room * weight) / total);
  const rest = room - amounts.reduce((sum, amount) => sum + amount, 0n);
  amounts[0] = (amounts[0] ?? 0n) + rest;
  return amounts;
}

/** Adds `change` to the first, or takes it from one after the other. */
function adjust(amounts: bigint[], change: bigint): void {
  if (change >= 0n) {
    amounts[0] = (amounts[0] ?? 0n) + change;
    return;
  }
  let left = -change;
  for (let index = 0; index < amounts.length && left > 0n; index += 1) {
    const have = amounts[index] ?? 0n;
    const taken = have < left ? have : left;
    amounts[index] = have - taken;
    left -= taken;
  }
}
