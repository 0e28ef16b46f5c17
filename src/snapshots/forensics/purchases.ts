import type { LaunchTrade } from './launch.ts';
import type { ChainTransaction } from './types.ts';

/** Transactions of a launch, oldest first, with their place in the block if it is known. */
export interface LaunchTransactions {
  readonly rows: readonly ChainTransaction[];
  readonly positions: ReadonlyMap<string, number>;
}

/** What came out of a pool or curve, and the transaction that filled it. */
export interface Purchases {
  readonly opening: Pick<LaunchTrade, 'transaction' | 'signer' | 'height' | 'at' | 'position'>;
  readonly trades: readonly LaunchTrade[];
  /** Wallets that got a part of what others bought: a tax, a fee. They bought nothing. */
  readonly feeWallets: readonly string[];
}

/** Smaller parts of what left the pool are change, rewards, dust. */
const LEAST_PART = 50n;
/** Who gets a part of the purchases of so many others collects fees. */
const FEE_PAYERS = 2;

/**
 * Purchases in the first block with trades. `reserves`: who holds the pool's tokens; null: whoever got most of the asset in the
 * transaction that filled it. Null when no transaction fills it. Pure.
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
    // The account that fills a pool also distributes tokens: only signers of the others bought.
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

/** Accounts that got a part of purchases by several signers, and always together with another recipient. */
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

/** Who got most of the asset in a transaction, the signers left out; null when none did. */
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

/** Wallets that hold more of the asset after the transaction; neither the pool nor the token's own contract. */
function gainsOf({ changes }: ChainTransaction, base: string, reserves: ReadonlySet<string>): readonly Gain[] {
  const net = new Map<string, bigint>();
  for (const { owner, asset, amount } of changes)
    if (asset === base && owner !== base && !reserves.has(owner)) net.set(owner, (net.get(owner) ?? 0n) + amount);
  return [...net].filter(([, amount]) => amount > 0n).map(([owner, amount]) => ({ owner, amount }));
}

function placeOf({ id, signers, height, at }: ChainTransaction, positions: ReadonlyMap<string, number>) {
  return { transaction: id, signer: signers[0] ?? null, height, at, position: positions.get(id) ?? null };
}
