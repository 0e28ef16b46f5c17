import type { LaunchTrade } from './launch.ts';
import type { ChainTransaction } from './types.ts';

/** Transactions of a launch, oldest first, with their positions in the block where known. */
export interface LaunchTransactions {
  readonly rows: readonly ChainTransaction[];
  readonly positions: ReadonlyMap<string, number>;
}

/** Purchases from a pool or curve, and the transaction that filled it. */
export interface Purchases {
  readonly opening: Pick<LaunchTrade, 'transaction' | 'signer' | 'height' | 'at' | 'position'>;
  readonly trades: readonly LaunchTrade[];
  /** Wallets that received a part of others' purchases (a tax, a fee) and bought nothing. */
  readonly feeWallets: readonly string[];
}

/** Smaller parts than the outflow divided by this are change, rewards or dust. */
const LEAST_PART = 50n;
/** Least number of signers whose purchases a fee wallet receives a part of. */
const FEE_PAYERS = 2;

/**
 * Purchases in the first block with trades. `reserves`: holders of the pool's tokens; null: the recipient of most of
 * the asset in the transaction that filled the pool. Null when no transaction fills it. Pure.
 */
export function purchasesIn(
  { rows, positions }: LaunchTransactions,
  base: string,
  reserves: ReadonlySet<string> | null,
): Purchases | null {
  const filled = rows.findIndex((row) => filledBy(row, base, reserves) !== null);
  const first = rows[filled];
  if (first === undefined) return null;
  const holders = reserves ?? new Set([filledBy(first, base, null) ?? '']);
  const opening = placeOf(first, positions);
  const bought = rows.slice(filled).flatMap((row, index) => {
    const out = -netOf(row, base, holders);
    const gains = gainsOf(row, base, holders);
    // The transaction that fills a pool also distributes tokens: in it, only signers count as buyers.
    const buyers =
      index === 0
        ? gains.filter(({ owner }) => row.signers.includes(owner))
        : gains.filter(({ amount }) => out > 0n && amount * LEAST_PART >= out);
    return buyers.length === 0 ? [] : [{ row, buyers }];
  });
  const collectors = feeWalletsOf(bought);
  const trades = bought.flatMap(({ row, buyers }) =>
    buyers
      .filter(({ owner }) => !collectors.has(owner))
      .map(({ owner, amount }): LaunchTrade => ({ buyer: owner, amount, ...placeOf(row, positions) })),
  );
  const block = trades.find(({ transaction }) => transaction !== opening.transaction)?.height ?? opening.height;
  return {
    opening,
    trades: trades.filter(({ height, transaction }) => height === block || transaction === opening.transaction),
    feeWallets: [...collectors].sort(),
  };
}

interface Gain {
  readonly owner: string;
  readonly amount: bigint;
}

/** Accounts that received a part of purchases by several signers, and always together with another recipient. */
function feeWalletsOf(
  bought: readonly { readonly row: ChainTransaction; readonly buyers: readonly Gain[] }[],
): ReadonlySet<string> {
  const owners = new Set(bought.flatMap(({ buyers }) => buyers.map(({ owner }) => owner)));
  return new Set(
    [...owners].filter((owner) => {
      const own = bought.filter(({ buyers }) => buyers.some((buyer) => buyer.owner === owner));
      const signers = new Set(own.map(({ row }) => row.signers[0]));
      return (
        signers.size >= FEE_PAYERS &&
        own.every(({ row, buyers }) => !row.signers.includes(owner) && buyers.some((buyer) => buyer.owner !== owner))
      );
    }),
  );
}

/** The recipient of most of the asset in a transaction, signers excluded; null when there is none. */
function filledBy(row: ChainTransaction, base: string, reserves: ReadonlySet<string> | null): string | null {
  if (reserves !== null) return netOf(row, base, reserves) > 0n ? ([...reserves][0] ?? null) : null;
  const [most] = gainsOf(row, base, new Set())
    .filter(({ owner }) => !row.signers.includes(owner))
    .sort((a, b) => (a.amount > b.amount ? -1 : 1));
  return most?.owner ?? null;
}

function netOf(row: ChainTransaction, base: string, owners: ReadonlySet<string>): bigint {
  return row.changes
    .filter((change) => change.asset === base && owners.has(change.owner))
    .reduce((sum, change) => sum + change.amount, 0n);
}

/** Wallets whose balance of the asset the transaction increased, without the pool and the token's own contract. */
function gainsOf({ changes }: ChainTransaction, base: string, reserves: ReadonlySet<string>): readonly Gain[] {
  const net = new Map<string, bigint>();
  for (const { owner, asset, amount } of changes)
    if (asset === base && owner !== base && !reserves.has(owner)) net.set(owner, (net.get(owner) ?? 0n) + amount);
  return [...net].filter(([, amount]) => amount > 0n).map(([owner, amount]) => ({ owner, amount }));
}

function placeOf({ id, signers, height, at }: ChainTransaction, positions: ReadonlyMap<string, number>) {
  return { transaction: id, signer: signers[0] ?? null, height, at, position: positions.get(id) ?? null };
}
