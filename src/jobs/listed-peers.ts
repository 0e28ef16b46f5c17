import { createHash } from 'node:crypto';
import type { AssetClass, DriverReadings, PeerRow } from '../domain/index.ts';
import type { BulkList, BulkLists } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { driversOf } from '../rating/index.ts';
import { rowsOf } from '../registers/index.ts';

/** The lists of all assets that peers are made of, by source and endpoint. They are fetched for all jobs, never for one asset. */
const LISTS = [
  ['coingecko', 'markets'],
  ['defillama', 'protocols'],
  ['defillama', 'all_fees'],
  ['defillama', 'all_chains'],
  ['defillama', 'all_stablecoin_chains'],
] as const;

type Row = Readonly<Record<string, unknown>>;
type Lists = readonly (BulkList | null)[];

/** Reads the peers that lists of all assets give, waiting for lists that are not there for at most so many milliseconds. */
export type ListedPeers = (waitMs: number) => Promise<readonly PeerRow[]>;

/**
 * Peers of a class out of the lists of all assets: the same for whoever asks, and there at the first rating of an installation. A list that
 * could not be had leaves its drivers out; without the list of markets there are none.
 */
export function createListedPeers(bulk: Pick<BulkLists, 'get'>, methodology: Methodology): ListedPeers {
  let held: { readonly lists: Lists; readonly rows: readonly PeerRow[] } = { lists: [], rows: [] };
  return async (waitMs) => {
    const lists = await Promise.all(
      LISTS.map(async ([source, endpoint]) => {
        const found = await bulk.get(source, endpoint, waitMs);
        return 'failed' in found ? null : found;
      }),
    );
    // A list is the same object until it is fetched again.
    if (lists.length !== held.lists.length || lists.some((list, index) => list !== held.lists[index]))
      held = { lists, rows: peersIn(lists, methodology) };
    return held.rows;
  };
}

/** Peers rated here, then those of lists that are not among them under any of their names. */
export function withListed(rated: readonly PeerRow[], listed: readonly PeerRow[]): readonly PeerRow[] {
  const known = new Set(rated.flatMap((row) => row.aliases ?? []));
  return [...rated, ...listed.filter((row) => !known.has(row.assetId))];
}

/** What the lists of protocols and chains say of the token with an id at the registry of coins. */
interface Use {
  /** Null where it decides no class. */
  readonly class: AssetClass | null;
  readonly tvlUsd: number;
  readonly feesUsd: number;
}

function peersIn([markets, protocols, fees, chains, stablecoins]: Lists, methodology: Methodology): readonly PeerRow[] {
  if (!markets) return [];
  const feeRows = rowsIn(fees, 'protocols');
  const uses = new Map([
    ...protocolUses(rowsIn(protocols), feeRows, methodology),
    ...chainUses(rowsIn(chains), rowsIn(stablecoins), feeRows),
  ]);
  const peers = rowsIn(markets).flatMap((row) => peerOf(row, uses, markets.record.fetchedAt, methodology) ?? []);
  return sampled(peers, methodology.vfr.listed.mostOfClass);
}

function peerOf(
  row: Row,
  uses: ReadonlyMap<string, Use>,
  asOf: string,
  methodology: Methodology,
): (PeerRow & { readonly class: AssetClass }) | null {
  const id = textIn(row.id);
  const marketValueUsd = amountIn(row.market_cap);
  const use = id === null ? undefined : uses.get(id);
  const of = id === null ? null : (classOf(id, methodology) ?? use?.class ?? null);
  if (id === null || of === null || marketValueUsd === null) return null;
  const known: DriverReadings = {
    ...given('fees_30d_usd', use?.feesUsd),
    ...given('tvl_usd', use?.tvlUsd),
    ...given('volume_24h_usd', amountIn(row.total_volume)),
  };
  const wanted = driversOf(of, methodology.vfr);
  const drivers = Object.fromEntries(wanted.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  if (Object.keys(drivers).length === 0) return null;
  const name = `coingecko:${id}`;
  return {
    assetId: name,
    class: of,
    category: methodology.classes[of].category,
    asOf,
    marketValueUsd: Number(marketValueUsd.toPrecision(6)),
    drivers,
    aliases: [name],
    round: null,
  };
}

/** The class that a kept register gives it; null where no register names it. */
function classOf(id: string, { classRules }: Methodology): AssetClass | null {
  const { natives, issuer, protocol } = rowsOf([`registry:${id}`]).shipped;
  if (natives !== undefined) return 'native_l1';
  // What is issued is worth what it is redeemed for.
  if (issuer !== undefined) return 'stable_fiat';
  return typeof protocol?.kind === 'string' ? (classRules.rows[protocol.kind] ?? null) : null;
}

/** Protocols by the token they share: the class of the largest, the sums of all. */
function protocolUses(
  rows: readonly Row[],
  fees: readonly Row[],
  { classRules }: Methodology,
): ReadonlyMap<string, Use> {
  const feesOf = new Map(fees.map((row) => [textIn(row.defillamaId) ?? '', amountIn(row.total30d) ?? 0]));
  const tokenOf = new Map(rows.flatMap((row) => pair(textIn(row.parentProtocol), textIn(row.gecko_id))));
  const uses = new Map<string, Use>();
  const bySize = [...rows].sort((a, b) => (amountIn(b.tvl) ?? 0) - (amountIn(a.tvl) ?? 0));
  for (const row of bySize) {
    const id = textIn(row.gecko_id) ?? tokenOf.get(textIn(row.parentProtocol) ?? '') ?? null;
    if (id === null) continue;
    const before = uses.get(id);
    uses.set(id, {
      class: before === undefined ? (classRules.protocols[textIn(row.category) ?? ''] ?? null) : before.class,
      tvlUsd: (before?.tvlUsd ?? 0) + (amountIn(row.tvl) ?? 0),
      feesUsd: (before?.feesUsd ?? 0) + (feesOf.get(textIn(row.id) ?? '') ?? 0),
    });
  }
  return uses;
}

/** Chains by their coin: what is locked there with the stablecoins on it, as an asset's own value on its chain is counted, and the fees of the chain itself. */
function chainUses(rows: readonly Row[], stablecoins: readonly Row[], fees: readonly Row[]): ReadonlyMap<string, Use> {
  const stableOn = new Map(stablecoins.flatMap((row) => pair(textIn(row.name), sumIn(row.totalCirculatingUSD))));
  const feesOf = new Map(
    fees
      .filter((row) => textIn(row.defillamaId)?.startsWith('chain#'))
      .flatMap((row) => pair(textIn(row.name), amountIn(row.total30d))),
  );
  return new Map(
    rows.flatMap((row) => {
      const [id, name] = [textIn(row.gecko_id), textIn(row.name)];
      if (id === null || name === null) return [];
      const tvlUsd = (amountIn(row.tvl) ?? 0) + (stableOn.get(name) ?? 0);
      // Whether it is a chain of its own is for the registers to say.
      return [[id, { class: null, tvlUsd, feesUsd: feesOf.get(name) ?? 0 }] as const];
    }),
  );
}

/** So many of each class, chosen by hashes: no size is favoured, and the choice is the same for all. */
function sampled(peers: readonly (PeerRow & { readonly class: AssetClass })[], most: number): readonly PeerRow[] {
  const hashOf = ({ assetId }: PeerRow) => createHash('sha256').update(assetId).digest('hex');
  const byHash = peers.map((peer) => ({ peer, hash: hashOf(peer) })).sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const taken = new Map<AssetClass, number>();
  const chosen = byHash.filter(({ peer }) => {
    const place = taken.get(peer.class) ?? 0;
    taken.set(peer.class, place + 1);
    return place < most;
  });
  return chosen.map(({ peer }) => peer).sort((a, b) => (a.assetId < b.assetId ? -1 : 1));
}

function rowsIn(list: BulkList | null | undefined, member?: string): readonly Row[] {
  const reply = list?.reply;
  const rows = member === undefined ? reply : (reply as Row | undefined)?.[member];
  return Array.isArray(rows) ? rows.filter((row): row is Row => typeof row === 'object' && row !== null) : [];
}

const given = (quantity: keyof DriverReadings, value: number | null | undefined): DriverReadings =>
  value ? { [quantity]: Number(value.toPrecision(6)) } : {};
const pair = <Value>(key: string | null, value: Value | null): readonly (readonly [string, Value])[] =>
  key === null || value === null ? [] : [[key, value]];
const textIn = (value: unknown): string | null => (typeof value === 'string' && value.length <= 120 ? value : null);
const amountIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
const sumIn = (value: unknown): number =>
  Object.values((typeof value === 'object' && value) || {}).reduce<number>(
    (sum, part) => sum + (amountIn(part) ?? 0),
    0,
  );
