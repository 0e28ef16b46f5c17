import { CHAINS, type Chain } from '../chains/index.ts';
import type { AssetKeys, TokenRecord } from '../domain/index.ts';
import { type Endpoint, type Finds, type Registry, SOURCES, type Source, sorted } from '../sources/index.ts';
import { compareNames } from './sites.ts';

/** An endpoint that finds tokens in a given way. */
export interface Finder<By extends Finds['by'] = Finds['by']> {
  readonly source: string;
  readonly endpoint: string;
  readonly finds: Extract<Finds, { readonly by: By }>;
}

/** Endpoints that find tokens in a given way, in the order of the registries. */
export function findersOf<By extends Finds['by']>(by: By, sources: readonly Source[] = SOURCES): readonly Finder<By>[] {
  return registriesOf(sources).flatMap((source) =>
    source.endpoints.flatMap((endpoint) => {
      const { finds } = endpoint;
      return isBy(finds, by) ? [{ source: source.name, endpoint: endpoint.name, finds }] : [];
    }),
  );
}

function isBy<By extends Finds['by']>(finds: Endpoint['finds'], by: By): finds is Extract<Finds, { readonly by: By }> {
  return finds?.by === by;
}

type RegistrySource = Source & { readonly registry: Registry };

function registriesOf(sources: readonly Source[]): readonly RegistrySource[] {
  return sources
    .filter((source): source is RegistrySource => source.registry !== undefined)
    .sort((a, b) => a.registry.order - b.registry.order);
}

const REGISTRIES = registriesOf(SOURCES);
const PLACES = new Map(REGISTRIES.map((source, index) => [source.name, index]));

/** Negative when the source of `a` comes before that of `b` in the order of the registries. */
export function byRegistry(a: TokenRecord, b: TokenRecord): number {
  return (PLACES.get(a.source) ?? PLACES.size) - (PLACES.get(b.source) ?? PLACES.size);
}

const namesOf = (fits: (registry: Registry) => boolean) =>
  REGISTRIES.filter(({ registry }) => fits(registry)).map(({ name }) => name);

/** Registries from which the absence of a token is evidence. */
export const TOKEN_REGISTRIES = namesOf(({ curated, files }) => curated && files === 'tokens');
/** Registries of projects, with or without a token. */
export const PROJECT_REGISTRIES = namesOf(({ curated, files }) => curated && files === 'projects');
/** Registries that list every address of a token and state whether it is a copy, in their order. */
export const JUDGES = namesOf(({ namesAllPlaces }) => namesAllPlaces);

type RegistryKey = NonNullable<Registry['key']>;

/** Maps a registry's id of a token to the key under which it is stored for later requests. */
export function keysFrom(idAt: (source: string) => string | null): Partial<Pick<AssetKeys, RegistryKey>> {
  return Object.fromEntries(
    REGISTRIES.flatMap(({ name, registry }) =>
      registry.key === null || registry.files !== 'tokens' ? [] : [[registry.key, idAt(name)]],
    ),
  );
}

/** Stable text of a record, used to order records. */
export function recordKey(record: TokenRecord): string {
  return [record.source, record.id ?? '', record.addresses.join(' '), record.symbol ?? '', record.name ?? ''].join(
    '\u0000',
  );
}

/** Splits `chain:address`. */
export function split(place: string): { readonly chain: Chain | null; readonly address: string } {
  const at = place.indexOf(':');
  return { chain: CHAINS.find((row) => row.name === place.slice(0, at)) ?? null, address: place.slice(at + 1) };
}

/**
 * One token, merged from all its records: deployments on several chains and entries in several registries are one
 * candidate.
 */
export interface Candidate {
  /** Stable name: its first address, otherwise its first registry id. */
  readonly key: string;
  /** Sorted. */
  readonly records: readonly TokenRecord[];
  /** `chain:address`, sorted. */
  readonly places: readonly string[];
  readonly name: string | null;
  readonly symbol: string | null;
  readonly nativeOf: string | null;
  readonly copy: boolean;
  readonly rank: number | null;
  readonly liquidityUsd: number;
}

/**
 * Merges records into tokens: by a shared address, by a registry id that another registry names and, for records
 * without an address, by symbol and domain if exactly one token matches both. Independent of the order of the records.
 */
export function foldRecords(found: readonly TokenRecord[]): readonly Candidate[] {
  const records = distinct(found);
  const groups = createGroups(records.length);
  for (const members of byKeys(records, (record) => record.addresses)) joinTo(groups, members[0], members);
  for (const members of byKeys(records, idsOf)) {
    // The registry's own record of the id, where it was read: the others only name the id.
    const owner = members.find((index) => records[index]?.ofProject === false) ?? members[0];
    const held = owner === undefined ? undefined : records[owner];
    const fitting = members.filter((index) => !isOther(held, records[index]));
    joinTo(groups, owner, fitting);
  }
  const doubtful = joinHomeless(groups, records);
  return groups
    .all()
    .map((members) => members.filter((index) => !doubtful.has(index)))
    .filter((members) => members.length > 0)
    .map((members) => toCandidate(members.map((index) => records[index]).filter((record) => record !== undefined)))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Two requests may return the same record; keeps the one with more fields. */
function distinct(found: readonly TokenRecord[]): readonly TokenRecord[] {
  const byKey = new Map<string, TokenRecord>();
  const weight = (record: TokenRecord) => record.domains.length + record.socials.length + record.liquidityUsd / 1e12;
  for (const record of [...found].sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)))) {
    const key = recordKey(record);
    const known = byKey.get(key);
    if (!known || weight(record) > weight(known)) byKey.set(key, record);
  }
  return [...byKey].sort(([a], [b]) => compare(a, b)).map(([, record]) => record);
}

function idsOf(record: TokenRecord): readonly string[] {
  const own = record.curated && record.id !== null && !record.ofProject ? [`${record.source}/${record.id}`] : [];
  return [...own, ...Object.entries(record.ids).map(([source, id]) => `${source}/${id}`)];
}

/** Indexes of the records that have a key, for each key. */
function byKeys(
  records: readonly TokenRecord[],
  keysOfRecord: (record: TokenRecord) => readonly string[],
): readonly (readonly number[])[] {
  const found = new Map<string, number[]>();
  for (const [index, record] of records.entries())
    for (const key of keysOfRecord(record)) found.getOrInsertComputed(key, () => []).push(index);
  return [...found.values()];
}

function joinTo(groups: Groups, first: number | undefined, members: readonly number[]): void {
  if (first !== undefined) for (const index of members) groups.join(first, index);
}

/**
 * True for an id that a registry of projects states by mistake: nothing that the two records have agrees, neither name
 * nor symbol, address or website.
 */
function isOther(left: TokenRecord | undefined, right: TokenRecord | undefined): boolean {
  if (left === undefined || right === undefined || (!left.ofProject && !right.ofProject)) return false;
  const shares = (a: readonly string[], b: readonly string[]) => a.some((word) => b.includes(word));
  const chains = ({ addresses }: TokenRecord) => addresses.map((place) => place.slice(0, place.indexOf(':')));
  const isComparable = (left.domains.length > 0 && right.domains.length > 0) || shares(chains(left), chains(right));
  return (
    isComparable &&
    left.symbol !== null &&
    right.symbol !== null &&
    left.symbol !== right.symbol &&
    left.name !== null &&
    compareNames(left.name, right.name) === 'other' &&
    !shares(left.addresses, right.addresses) &&
    !shares(left.domains, right.domains)
  );
}

/**
 * Joins each record without an address to the only token that it can mean; returns those that could mean several, or
 * only a token of which their registry has another record: it is a coin of another chain, and its figures are others.
 */
function joinHomeless(groups: Groups, records: readonly TokenRecord[]): ReadonlySet<number> {
  const doubtful = new Set<number>();
  const membersOf = (root: number) => groups.members(root).flatMap((index) => records[index] ?? []);
  const homeless = (root: number) => membersOf(root).every((record) => record.addresses.length === 0);
  for (const [index, record] of records.entries()) {
    if (!record.curated || !homeless(groups.root(index))) continue;
    const near = records
      .map((other, at) => ({ other, root: groups.root(at) }))
      .filter(({ other, root }) => root !== groups.root(index) && other.curated && sameProject(record, other));
    const alike = near.filter(({ root }) => !membersOf(root).some((other) => isAnother(record, other)));
    if (near.some(({ root }) => !homeless(root)) && alike.every(({ root }) => homeless(root))) {
      doubtful.add(index);
      continue;
    }
    const roots = [...new Set(alike.map(({ root }) => root))];
    const placed = roots.filter((root) => !homeless(root));
    const originals = placed.filter((root) => !isCopy(membersOf(root)));
    const [only, second] = originals.length > 0 ? originals : placed;
    if (only !== undefined && second === undefined) groups.join(only, index);
    else if (second !== undefined) doubtful.add(index);
    else if (new Set(alike.map(({ other }) => other.source)).size === roots.length)
      for (const root of roots) groups.join(root, index);
  }
  return doubtful;
}

/** True for two tokens of one registry. A chain's own coin may have a page beside that of its contract. */
function isAnother(left: TokenRecord, right: TokenRecord): boolean {
  const isCoin = left.nativeOf !== null || left.coin !== null;
  return left.source === right.source && left.id !== right.id && !left.ofProject && !right.ofProject && !isCoin;
}

function sameProject(left: TokenRecord, right: TokenRecord): boolean {
  return (
    left.symbol !== null &&
    left.symbol === right.symbol &&
    left.source !== right.source &&
    left.domains.some((domain) => right.domains.includes(domain))
  );
}

function toCandidate(records: readonly TokenRecord[]): Candidate {
  const ordered = [...records].sort(
    (a, b) =>
      byRegistry(a, b) ||
      Number(a.copy) - Number(b.copy) ||
      b.liquidityUsd - a.liquidityUsd ||
      compare(recordKey(a), recordKey(b)),
  );
  const places = sorted(ordered.flatMap((record) => record.addresses));
  const [named] = ordered.filter((record) => record.name !== null);
  const [ranked] = ordered.flatMap((record) => record.rank ?? []).sort((a, b) => a - b);
  const first = ordered[0];
  return {
    key: places[0] ?? `${first?.source}/${first?.id}`,
    records: ordered,
    places,
    name: named?.name ?? null,
    symbol: ordered.find((record) => record.symbol !== null)?.symbol ?? null,
    nativeOf: ordered.find((record) => record.nativeOf !== null)?.nativeOf ?? null,
    copy: isCopy(ordered),
    rank: ranked ?? null,
    liquidityUsd: ordered.reduce((most, record) => Math.max(most, record.liquidityUsd), 0),
  };
}

/** The first registry in `JUDGES` with a record decides; one entry that is not a copy makes the token the original. */
function isCopy(records: readonly TokenRecord[]): boolean {
  const judges = JUDGES.map((source) => records.filter((record) => record.source === source));
  const deciding = judges.find((rows) => rows.length > 0) ?? [];
  return deciding.length > 0 && deciding.every((record) => record.copy);
}

interface Groups {
  root(index: number): number;
  join(left: number, right: number): void;
  members(root: number): readonly number[];
  all(): readonly (readonly number[])[];
}

/** Union-find over indexes. The smallest index of a group is its root, so that the order of joins has no effect. */
function createGroups(size: number): Groups {
  const parent = Array.from({ length: size }, (_, index) => index);
  const root = (index: number) => {
    let at = index;
    while (parent[at] !== at) at = parent[at] ?? at;
    return at;
  };
  const members = (wanted: number) => parent.map((_, index) => index).filter((index) => root(index) === wanted);
  return {
    root,
    members,
    join(left, right) {
      const [a, b] = [root(left), root(right)];
      parent[Math.max(a, b)] = Math.min(a, b);
    },
    all: () => [...new Set(parent.map((_, index) => root(index)))].map(members),
  };
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * CAIP-19 id of the candidate's coin in the register of natives; null for any other. A record with an address is a
 * token.
 */
export function coinIdOf({ records, nativeOf }: Candidate): string | null {
  const isCoin = nativeOf !== null || records.every((record) => record.addresses.length === 0);
  return isCoin ? (records.find((record) => record.curated && record.coin !== null)?.coin ?? null) : null;
}
