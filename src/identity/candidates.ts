import type { TokenRecord } from '../domain/index.ts';
import { sorted } from '../sources/index.ts';
import { byRegistry, JUDGES, recordKey } from './registries.ts';

/** One token as all its records together show it: deployments on several chains and entries in several registries are one. */
export interface Candidate {
  /** Stable name: its first address, else its first registry id. */
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
 * Folds records into tokens: by a shared address, by a registry id that another registry names, and, for records without
 * an address, by symbol and domain when exactly one token answers to both. Independent of the order of the records.
 */
export function foldRecords(found: readonly TokenRecord[]): readonly Candidate[] {
  const records = distinct(found);
  const groups = createGroups(records.length);
  joinBy(groups, records, (record) => record.addresses);
  joinBy(groups, records, idsOf);
  const doubtful = joinHomeless(groups, records);
  return groups
    .all()
    .map((members) => members.filter((index) => !doubtful.has(index)))
    .filter((members) => members.length > 0)
    .map((members) => toCandidate(members.map((index) => records[index]).filter((record) => record !== undefined)))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Two requests may return the same record; the one with more fields stays. */
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

function joinBy(
  groups: Groups,
  records: readonly TokenRecord[],
  keys: (record: TokenRecord) => readonly string[],
): void {
  const first = new Map<string, number>();
  for (const [index, record] of records.entries()) {
    for (const key of keys(record)) {
      const known = first.get(key);
      if (known === undefined) first.set(key, index);
      else groups.join(known, index);
    }
  }
}

/** Joins records without an address to the one token they can mean; returns those that could mean several. */
function joinHomeless(groups: Groups, records: readonly TokenRecord[]): ReadonlySet<number> {
  const doubtful = new Set<number>();
  const membersOf = (root: number) => groups.members(root).flatMap((index) => records[index] ?? []);
  const homeless = (root: number) => membersOf(root).every((record) => record.addresses.length === 0);
  for (const [index, record] of records.entries()) {
    if (!record.curated || !homeless(groups.root(index))) continue;
    const alike = records
      .map((other, at) => ({ other, root: groups.root(at) }))
      .filter(({ other, root }) => root !== groups.root(index) && other.curated && sameProject(record, other));
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

/** The word of the first registry that says so counts; one entry of it that is no copy makes the token the original. */
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

/** Union-find over indexes; the smallest index of a group is its root, so that the order of joining decides nothing. */
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
