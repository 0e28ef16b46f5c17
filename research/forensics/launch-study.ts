import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chancesOfPayers,
  FALSE_CLUSTERS,
  judgeLaunch,
  type LaunchTrade,
  type ReferencePayers,
  STUDIED_PAYERS,
} from '../../src/snapshots/index.ts';
import { type Random, sampleOf } from '../random.ts';

/** Early buyers of one launch with their first payers; null: unknown. */
export interface LaunchBuyers {
  readonly launch: string;
  readonly buyers: readonly {
    readonly wallet: string;
    readonly payer: string | null;
    readonly payers: readonly string[];
  }[];
}

interface FundingFile {
  readonly label: string;
  readonly wallets: readonly {
    readonly wallet: string;
    readonly inflows: readonly {
      readonly nature?: string;
      readonly ts: number;
      readonly amount_sol?: number;
      readonly source?: string | null;
      readonly source_known?: string | null;
    }[];
  }[];
}

/**
 * The fundings in one folder of the study (`trace_temoins`, `trace_cohorte`, `trace_gradues`), without known services.
 */
export async function readBuyers(folder: string): Promise<readonly LaunchBuyers[]> {
  const names = (await readdir(folder)).filter((name) => /^e2_funding_.*/.test(name)).sort();
  const launches: LaunchBuyers[] = [];
  for (const name of names) {
    const { label, wallets } = JSON.parse(await readFile(join(folder, name), 'utf8')) as FundingFile;
    launches.push({
      launch: label,
      buyers: wallets.map(({ wallet, inflows }) => {
        const paid = inflows
          .filter((row) => row.nature !== 'produit_de_vente' && (row.amount_sol ?? 0) > 0 && row.source)
          .sort((a, b) => a.ts - b.ts);
        const named = paid.filter((row) => !row.source_known);
        const payer = paid[0]?.source_known ? null : (paid[0]?.source ?? null);
        return { wallet, payer, payers: [...new Set(named.flatMap((row) => row.source ?? []))] };
      }),
    });
  }
  return launches;
}

export interface Rates {
  readonly groups: number;
  /** Share of groups in which any two wallets share any payer, the rule of the study. */
  readonly anySharedPayer: number;
  /** The same by first payments, the rule before the null model. */
  readonly sharedFirstPayer: number;
  /** By the null model, with the payers of the study or wallets of the same population as reference. */
  readonly byStudy: number;
  readonly byOwn: number;
}

type Buyer = LaunchBuyers['buyers'][number];

function shows(payers: readonly string[], reference: ReferencePayers): boolean {
  return [...chancesOfPayers(payers, reference).values()].some((chance) => chance <= FALSE_CLUSTERS);
}

function isShared(names: readonly string[]): boolean {
  return new Set(names).size < names.length;
}

function ratesOf(groups: readonly { readonly group: readonly Buyer[]; readonly others: readonly Buyer[] }[]): Rates {
  const share = (is: (row: (typeof groups)[number]) => boolean) => groups.filter(is).length / groups.length;
  const first = (group: readonly Buyer[]) => group.flatMap((one) => one.payer ?? []);
  return {
    groups: groups.length,
    anySharedPayer: share(({ group }) => isShared(group.flatMap((one) => one.payers))),
    sharedFirstPayer: share(({ group }) => isShared(first(group))),
    byStudy: share(({ group }) => shows(first(group), STUDIED_PAYERS)),
    byOwn: share(({ group, others }) => shows(first(group), referenceOf(others))),
  };
}

function referenceOf(buyers: readonly Buyer[]): ReferencePayers {
  const paid = new Map<string, number>();
  let wallets = 0;
  for (const { payer } of buyers) {
    if (payer === null) continue;
    wallets += 1;
    paid.set(payer, (paid.get(payer) ?? 0) + 1);
  }
  return { wallets, paid, basis: 'own_searches' };
}

/**
 * Random groups from all launches of a set, as a control for chance. Half of the wallets are the reference, and the
 * groups are drawn from the others.
 */
export function randomGroups(launches: readonly LaunchBuyers[], size: number, rounds: number, random: Random): Rates {
  const pool = [...new Map(launches.flatMap((row) => row.buyers).map((one) => [one.wallet, one])).values()];
  return ratesOf(
    Array.from({ length: rounds }, () => {
      const half = new Set(sampleOf(pool, Math.floor(pool.length / 2), random));
      const others = pool.filter((one) => !half.has(one));
      return { group: sampleOf([...half], size, random), others };
    }),
  );
}

/** The buyers of each launch as a group, with those of the other launches of the set as reference. */
export function launchGroups(launches: readonly LaunchBuyers[]): Rates {
  return ratesOf(
    launches.map(({ launch, buyers }) => {
      const own = new Set(buyers.map((one) => one.wallet));
      const others = launches.filter((row) => row.launch !== launch).flatMap((row) => row.buyers);
      return { group: buyers, others: others.filter((one) => !own.has(one.wallet)) };
    }),
  );
}

interface CreationBlocks {
  readonly lancements: readonly {
    readonly mint: string;
    readonly slot: number;
    readonly creator: string;
    readonly wallets_bloc: readonly string[];
    readonly idx_bloc: readonly number[];
    readonly idx_creation: number;
    readonly part_supply: number;
    readonly premier_externe: { readonly idx: number; readonly signer: string } | null;
  }[];
}

export interface BundleScore {
  readonly launches: number;
  /** Launches whose largest bundle bought at least a fifth of the supply: the condition of the flag. */
  readonly flagged: number;
  readonly labelled: number;
  readonly found: number;
  /** Wallets in bundles that the study does not list. */
  readonly wrong: number;
}

/**
 * Launches whose blocks the study read by hand: the wallets of its groups compared with those found by the order of
 * purchases only, without payers.
 */
export async function scoreBundles(file: string, flagShare: number): Promise<BundleScore> {
  const { lancements } = JSON.parse(await readFile(file, 'utf8')) as CreationBlocks;
  let [flagged, labelled, found, wrong] = [0, 0, 0, 0];
  for (const row of lancements) {
    const place = (buyer: string, position: number, amount: bigint): LaunchTrade => ({
      buyer,
      amount,
      transaction: `${row.mint} ${position}`,
      signer: buyer,
      height: row.slot,
      at: null,
      position,
    });
    const part = BigInt(Math.round((row.part_supply * 1e9) / Math.max(1, row.wallets_bloc.length)));
    const trades = row.wallets_bloc.map((wallet, index) => place(wallet, row.idx_bloc[index] ?? 0, part));
    if (row.premier_externe !== null)
      trades.push(place(row.premier_externe.signer, row.premier_externe.idx, 2_000_000n));
    const opening = {
      transaction: 'opening',
      signer: row.creator,
      height: row.slot,
      at: null,
      position: row.idx_creation,
    };
    const finding = judgeLaunch(
      { pool: 'curve', dex: 'pump', opening, trades, supply: 1_000_000_000n },
      { creator: row.creator, fundings: new Map(), services: new Set(), reference: STUDIED_PAYERS },
    );
    const members = new Set(finding.bundles.flatMap((bundle) => bundle.members));
    if ((finding.bundles[0]?.share ?? 0) >= flagShare) flagged += 1;
    labelled += row.wallets_bloc.length;
    found += row.wallets_bloc.filter((wallet) => members.has(wallet)).length;
    wrong += [...members].filter((wallet) => !row.wallets_bloc.includes(wallet) && wallet !== row.creator).length;
  }
  return { launches: lancements.length, flagged, labelled, found, wrong };
}
