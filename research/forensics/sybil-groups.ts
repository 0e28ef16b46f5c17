import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Funding, ReferencePayers } from '../../src/snapshots/index.ts';
import { clusterByFunder } from '../../src/snapshots/index.ts';
import { type Random, sampleOf } from '../random.ts';

/** The used data of hop-protocol/hop-airdrop. */
export interface HopData {
  /** Groups of addresses that the airdrop excluded. */
  readonly groups: readonly (readonly string[])[];
  /** Addresses that it kept. */
  readonly kept: readonly string[];
  /** Payer of an address. The file has no times, so its first row is taken as the first payment. */
  readonly payerOf: ReadonlyMap<string, string>;
  readonly services: ReadonlySet<string>;
}

const ADDRESS = /0x[0-9a-f]{40}/g;
const BLACKLISTS = ['exchangeBlacklist', 'contractBlacklist', 'depositAddressBlacklist', 'fundraisingBlacklist'];
/** As in the forensics, a wallet with this number of payments counts as a service. */
const MANY_SENT = 2_000;
const CHAIN = /^xdai_batch_(\d+)\.csv$/;

export async function readHop(folder: string): Promise<HopData> {
  const text = (...path: readonly string[]) => readFile(join(folder, 'src/data', ...path), 'utf8');
  const rows = JSON.parse(await text('groups.json')) as readonly { readonly eliminatedAddresses: readonly string[] }[];
  const services = new Set<string>();
  for (const name of BLACKLISTS)
    for (const [address] of (await text('blacklists', `${name}.ts`)).matchAll(ADDRESS)) services.add(address);
  const payerOf = new Map<string, string>();
  const sent = new Map<string, number>();
  const transfers = join(folder, 'src/data/transfers/nativeTokenTransfers');
  const names = (await readdir(transfers)).filter((name) => CHAIN.test(name));
  const numberOf = (name: string) => Number(CHAIN.exec(name)?.[1] ?? 0);
  for (const name of names.sort((a, b) => numberOf(a) - numberOf(b)))
    for (const line of (await readFile(join(transfers, name), 'utf8')).split('\n').slice(1)) {
      const [from, to] = line.trim().replaceAll('\\x', '0x').toLowerCase().split(',');
      if (from === undefined || to === undefined || from === to) continue;
      sent.set(from, (sent.get(from) ?? 0) + 1);
      if (!payerOf.has(to)) payerOf.set(to, from);
    }
  for (const [from, count] of sent) if (count >= MANY_SENT) services.add(from);
  return {
    groups: rows.map((row) => row.eliminatedAddresses.map((address) => address.toLowerCase())),
    kept: [...new Set([...(await text('eligibleAddresses.txt')).toLowerCase().matchAll(ADDRESS)].map(([one]) => one))],
    payerOf,
    services,
  };
}

export interface SybilScore {
  readonly lists: number;
  /** Members of known groups in the lists, those in a cluster, and kept addresses in a cluster. */
  readonly members: number;
  readonly found: number;
  readonly wrong: number;
  /** Lists in which at least half of the members are in one cluster. */
  readonly whole: number;
}

/** Builds lists of holders, half from one known group and half kept addresses, and counts how many are clustered. */
export function scoreGroups(data: HopData, size: number, reference: ReferencePayers, random: Random): SybilScore {
  const strangers = known(data, data.kept);
  let [lists, members, found, wrong, whole] = [0, 0, 0, 0, 0];
  for (const group of data.groups) {
    const own = known(data, group);
    if (own.length < 4 || group.length > 100) continue;
    const bad = sampleOf(own, Math.floor(size / 2), random);
    const list = [...bad, ...sampleOf(strangers, size - bad.length, random)];
    const clusters = clustersIn(data, list, reference);
    const clustered = new Set(clusters.flat());
    lists += 1;
    members += bad.length;
    found += bad.filter((one) => clustered.has(one)).length;
    wrong += [...clustered].filter((one) => !bad.includes(one)).length;
    const most = Math.max(0, ...clusters.map((one) => one.filter((wallet) => bad.includes(wallet)).length));
    if (most * 2 >= bad.length) whole += 1;
  }
  return { lists, members, found, wrong, whole };
}

/** Rate of false clusters in lists of kept addresses only. */
export function falseClusters(
  data: HopData,
  size: number,
  rounds: number,
  reference: ReferencePayers,
  random: Random,
): number {
  const strangers = known(data, data.kept);
  let shown = 0;
  for (let round = 0; round < rounds; round += 1)
    if (clustersIn(data, sampleOf(strangers, size, random), reference).length > 0) shown += 1;
  return shown / rounds;
}

/** Uses the payers of some kept addresses as the reference; the lists are drawn from the others. */
export function splitKept(
  data: HopData,
  random: Random,
): { readonly data: HopData; readonly reference: ReferencePayers } {
  const strangers = known(data, data.kept);
  const half = new Set(sampleOf(strangers, Math.floor(strangers.length / 2), random));
  const paid = new Map<string, number>();
  let wallets = 0;
  for (const wallet of half) {
    const payer = data.payerOf.get(wallet) ?? '';
    if (data.services.has(payer)) continue;
    wallets += 1;
    paid.set(payer, (paid.get(payer) ?? 0) + 1);
  }
  const kept = data.kept.filter((wallet) => !half.has(wallet));
  return { data: { ...data, kept }, reference: { wallets, paid, basis: 'own_searches' } };
}

function known({ payerOf, services }: HopData, wallets: readonly string[]): readonly string[] {
  return wallets.filter((wallet) => payerOf.has(wallet) && !services.has(wallet));
}

function clustersIn(
  data: HopData,
  list: readonly string[],
  reference: ReferencePayers,
): readonly (readonly string[])[] {
  const owners = list.map((address) => ({ address, sharePct: 100 / list.length }));
  const fundings = new Map(
    list.map((wallet): [string, Funding] => [
      wallet,
      { wallet, funder: data.payerOf.get(wallet) ?? '', transaction: '', at: null, amount: 0n },
    ]),
  );
  return clusterByFunder(owners, fundings, data.services, reference).clusters.map((cluster) =>
    cluster.members.map((member) => member.address),
  );
}
