import { chancesOfPayers, equalPayments, FALSE_CLUSTERS, type ReferencePayers } from './null-model.ts';
import type { Funding } from './types.ts';

/** One purchase out of a pool or curve at its launch. */
export interface LaunchTrade {
  readonly buyer: string;
  /** Of the asset, base units. */
  readonly amount: bigint;
  readonly transaction: string;
  /** Signer and fee payer; null when the chain's reply does not state it. */
  readonly signer: string | null;
  /** Slot or block number. */
  readonly height: number;
  /** RFC 3339; null where the chain's reply has none. */
  readonly at: string | null;
  /** Position of its transaction in its block; null when not known. */
  readonly position: number | null;
}

/** The launch of a pool or curve, as its chain shows it. */
export interface LaunchReading {
  readonly pool: string;
  readonly dex: string;
  /** The transaction that filled it, with its signer. */
  readonly opening: Pick<LaunchTrade, 'transaction' | 'signer' | 'height' | 'at' | 'position'>;
  /** Purchases of the first block with trades, which may be the block of the opening; oldest first. */
  readonly trades: readonly LaunchTrade[];
  /** Total supply, base units. */
  readonly supply: bigint;
}

/** Known first payers of the buyers. */
export interface LaunchPayments {
  readonly creator: string | null;
  /** First payments of buyers, of the creator, and of payers of several buyers. */
  readonly fundings: ReadonlyMap<string, Funding>;
  /** Wallets that handle the money of many people: exchanges, routers, relayers, fee wallets. They link no wallets. */
  readonly services: ReadonlySet<string>;
  readonly reference: ReferencePayers;
}

type BundleLink =
  | 'same_transaction'
  | 'same_signer'
  | 'funded_by_creator'
  | 'common_funder'
  | 'equal_payments'
  | 'consecutive';

/** At least two buyers of the first block that appear to have one owner. */
export interface LaunchBundle {
  readonly members: readonly string[];
  readonly share: number;
  /** Confidence of the weakest link within it, 0-1. */
  readonly confidence: number;
  readonly links: readonly BundleLink[];
  readonly funder: string | null;
  /** Probability that a random group of as many buyers has such a payer; null without a common payer. */
  readonly chance: number | null;
}

export interface LaunchFinding {
  readonly bundles: readonly LaunchBundle[];
  /** Buyers of the first block other than the creator that are in no bundle. */
  readonly snipers: readonly string[];
  /** Buyers of the first block that the creator, or a wallet it funded first, paid before the launch. */
  readonly insiders: readonly string[];
  /** Payers of several buyers, which may be a coincidence. */
  readonly byChance: readonly { readonly funder: string; readonly wallets: number; readonly chance: number }[];
  /** Shares of the total supply, 0-1. */
  readonly bought: ReadonlyMap<string, number>;
}

const CONFIDENCE: Readonly<Record<BundleLink, number>> = {
  same_transaction: 0.95,
  same_signer: 0.9,
  funded_by_creator: 0.85,
  equal_payments: 0.85,
  common_funder: 0.8,
  consecutive: 0.75,
};

/**
 * Least number of buyers in consecutive transactions after the opening that are a bundle: fewer may be a coincidence.
 */
const CONSECUTIVE = 3;
/**
 * Largest distance between two transactions of a bundle: one other may lie between them, the payment for ordering the
 * block.
 */
const GAP = 2;

/**
 * Finds the buyers of the first block, and which of them belong together. Pure; the result does not depend on the order
 * of the trades.
 */
export function judgeLaunch(reading: LaunchReading, payments: LaunchPayments): LaunchFinding {
  const { creator, fundings, services, reference } = payments;
  const launchedAt = Date.parse(reading.opening.at ?? '');
  const bought = sharesOf(reading);
  const buyers = [...bought.keys()].filter((buyer) => !services.has(buyer)).sort();
  const before = (wallet: string): Funding | null => {
    const funding = fundings.get(wallet) ?? null;
    const at = Date.parse(funding?.at ?? '');
    return funding === null || (Number.isFinite(launchedAt) && at > launchedAt) ? null : funding;
  };
  const isCreators = (wallet: string): boolean => {
    const payer = before(wallet)?.funder ?? null;
    if (payer === null || creator === null || services.has(payer)) return false;
    return payer === creator || fundings.get(payer)?.funder === creator;
  };
  const insiders = buyers.filter((buyer) => buyer !== creator && isCreators(buyer));
  const groups = createGroups(buyers);

  const own = creator !== null && bought.has(creator) ? [creator] : [];
  if (insiders.length > 0) groups.join([...own, ...insiders], 'funded_by_creator', null);

  const payers = new Map(
    buyers.flatMap((buyer) => {
      const funder = before(buyer)?.funder;
      return funder === undefined || services.has(funder) ? [] : [[buyer, funder] as const];
    }),
  );
  const chances = chancesOfPayers([...payers.values()], reference);
  const byChance = [];
  for (const [funder, chance] of [...chances].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const paid = buyers.filter((buyer) => payers.get(buyer) === funder);
    if (paid.length < 2) continue;
    if (chance <= FALSE_CLUSTERS) groups.join(paid, 'common_funder', { funder, chance });
    else byChance.push({ funder, wallets: paid.length, chance });
  }
  // Without exchanges, which constantly pay out the same round sums less the same fee.
  const paidPrivately = buyers.flatMap((buyer) => (payers.has(buyer) ? (before(buyer) ?? []) : []));
  for (const group of equalPayments(paidPrivately)) groups.join(namesOf(group, 'wallet'), 'equal_payments', null);

  const trades = reading.trades.filter((trade) => !services.has(trade.buyer));
  for (const rows of Map.groupBy(trades, (trade) => trade.transaction).values())
    groups.join(namesOf(rows, 'buyer'), 'same_transaction', null);
  for (const [signer, rows] of Map.groupBy(trades, (trade) => trade.signer ?? ''))
    if (signer !== '' && !services.has(signer)) groups.join(namesOf(rows, 'buyer'), 'same_signer', null);
  groups.join(consecutive(reading, trades, creator), 'consecutive', null);

  const bundles = groups.all().map((group) => ({
    ...group,
    share: Math.min(
      1,
      group.members.reduce((sum, member) => sum + (bought.get(member) ?? 0), 0),
    ),
  }));
  const bundled = new Set(bundles.flatMap((bundle) => bundle.members));
  return {
    bundles: bundles.sort((a, b) => b.share - a.share || ((a.members[0] ?? '') < (b.members[0] ?? '') ? -1 : 1)),
    snipers: buyers.filter((buyer) => buyer !== creator && !bundled.has(buyer)),
    insiders,
    byChance,
    bought,
  };
}

function sharesOf({ trades, supply }: LaunchReading): ReadonlyMap<string, number> {
  const amounts = new Map<string, bigint>();
  for (const { buyer, amount } of trades) amounts.set(buyer, (amounts.get(buyer) ?? 0n) + amount);
  const shares = [...amounts].map(([buyer, amount]) => [buyer, shareOf(amount, supply)] as const);
  return new Map(shares.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}

const PARTS = 1_000_000_000n;

function shareOf(amount: bigint, supply: bigint): number {
  return supply <= 0n ? 0 : Math.min(1, Number((amount * PARTS) / supply) / Number(PARTS));
}

/**
 * Buyers of consecutive transactions directly after the opening, as in a bundle that was sent together with it: without
 * knowing of a token before it exists, nobody gets three such positions in a row. Empty when there are fewer, or when
 * the positions are not known.
 */
function consecutive(
  { opening }: LaunchReading,
  trades: readonly LaunchTrade[],
  creator: string | null,
): readonly string[] {
  if (opening.position === null) return [];
  const places = new Map<number, string[]>();
  for (const { height, position, buyer } of trades)
    if (height === opening.height && position !== null && position > opening.position)
      places.set(position, [...(places.get(position) ?? []), buyer]);
  const run: string[] = [];
  let last = opening.position;
  for (const [position, buyers] of [...places].sort(([a], [b]) => a - b)) {
    if (position - last > GAP) break;
    last = position;
    run.push(...buyers);
  }
  const others = new Set(run.filter((buyer) => buyer !== creator));
  return others.size < CONSECUTIVE ? [] : [...new Set(run)];
}

function namesOf<Key extends string>(rows: readonly Readonly<Record<Key, string>>[], key: Key): readonly string[] {
  return [...new Set(rows.map((row) => row[key]))];
}

/** Merges wallets into groups, and records the links within each group. */
function createGroups(wallets: readonly string[]) {
  const rootOf = new Map(wallets.map((wallet) => [wallet, wallet]));
  const joins: {
    readonly of: string;
    readonly link: BundleLink;
    readonly payer: { readonly funder: string; readonly chance: number } | null;
  }[] = [];
  return {
    join(members: readonly string[], link: BundleLink, payer: (typeof joins)[number]['payer']): void {
      const known = members.filter((member) => rootOf.has(member));
      const [first] = known;
      if (first === undefined || known.length < 2) return;
      joins.push({ of: first, link, payer });
      const roots = new Set(known.map((member) => rootOf.get(member)));
      const root = rootOf.get(first) ?? first;
      for (const [wallet, own] of rootOf) if (roots.has(own)) rootOf.set(wallet, root);
    },
    all(): readonly Omit<LaunchBundle, 'share'>[] {
      return [...Map.groupBy(rootOf.keys(), (wallet) => rootOf.get(wallet) ?? wallet)]
        .filter(([, members]) => members.length > 1)
        .map(([root, members]) => {
          const own = joins.filter((join) => rootOf.get(join.of) === root);
          const paid = own.flatMap((join) => join.payer ?? []).sort((a, b) => a.chance - b.chance);
          return {
            members: members.sort(),
            links: [...new Set(own.map((join) => join.link))].sort(),
            confidence: Math.min(...own.map((join) => CONFIDENCE[join.link])),
            funder: paid[0]?.funder ?? null,
            chance: paid[0]?.chance ?? null,
          };
        });
    },
  };
}
