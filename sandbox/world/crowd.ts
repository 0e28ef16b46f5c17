import { evmAddress, solanaAccount } from './addresses.ts';
import { seededUnit } from './random.ts';
import type { SandboxAsset, SandboxHolder } from './types.ts';

/** A small holder: one of the many outside the list of the largest. */
export interface SmallHolder {
  readonly owner: string;
  /** Solana: token accounts; some owners have two. */
  readonly accounts: readonly { readonly address: string; readonly amount: bigint }[];
  readonly amount: bigint;
}

/** Assets with more holders are not listed completely here, as nodes refuse such lists too. */
export const MOST_LISTED = 4_000;

/** Supply of an asset in base units. */
export function rawSupply(asset: SandboxAsset): bigint {
  return (BigInt(Math.round(asset.totalSupply * 1000)) * 10n ** BigInt(asset.decimals)) / 1000n;
}

/**
 * Initial amounts of an asset's small holders, cached by seed and asset: addresses are hashes, and every hour of a
 * history needs thousands of them.
 */
const dealtCrowds = new WeakMap<SandboxAsset, { readonly seed: number; readonly members: readonly SmallHolder[] }>();

/**
 * All holders below the largest, so that all balances add up to the supply to the base unit. Their amounts were
 * distributed at the world's anchor; later gains and losses of the largest are balanced by the first small holders: the
 * others are the same objects at every hour. Null for assets with too many holders.
 */
export function crowdOf(
  seed: number,
  asset: SandboxAsset,
  dealt: readonly SandboxHolder[],
  top: readonly SandboxHolder[],
): readonly SmallHolder[] | null {
  if (asset.holders > MOST_LISTED) return null;
  const sum = (holders: readonly SandboxHolder[]) => holders.reduce((total, holder) => total + holder.amount, 0n);
  const known = dealtCrowds.get(asset);
  const members =
    known?.seed === seed ? known.members : dealtCrowd(seed, asset, rawSupply(asset) - sum(dealt), dealt.length);
  dealtCrowds.set(asset, { seed, members });
  const first = adjusted(members, sum(dealt) - sum(top)).map((amount, index) =>
    smallHolder(seed, asset, index, amount),
  );
  return [...first, ...members.slice(first.length)];
}

function dealtCrowd(seed: number, asset: SandboxAsset, room: bigint, largest: number): readonly SmallHolder[] {
  const amounts = deal(seed, asset, room, Math.max(1, asset.holders - largest));
  return amounts.map((amount, index) => smallHolder(seed, asset, index, amount));
}

function smallHolder(seed: number, asset: SandboxAsset, index: number, amount: bigint): SmallHolder {
  if (asset.chain !== 'solana') return { owner: evmAddress(seed, asset.slug, 'crowd', index), accounts: [], amount };
  const split = index % 11 === 5 ? amount / 3n : 0n;
  const account = (part: string, of: bigint) => ({
    address: solanaAccount(seed, asset.slug, 'crowd', index, part),
    amount: of,
  });
  const accounts = [account('first', amount - split), ...(split > 0n ? [account('second', split)] : [])];
  return { owner: solanaAccount(seed, asset.slug, 'crowd', index), accounts, amount };
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

/** New amounts of the first members when `change` is added to the first, or taken from one after the other. */
function adjusted(members: readonly SmallHolder[], change: bigint): readonly bigint[] {
  const [first] = members;
  if (change === 0n || first === undefined) return [];
  if (change > 0n) return [first.amount + change];
  const amounts: bigint[] = [];
  let left = -change;
  for (const { amount } of members) {
    if (left === 0n) break;
    const kept = amount - left;
    amounts.push(kept < 0n ? 0n : kept);
    left = kept < 0n ? -kept : 0n;
  }
  return amounts;
}
