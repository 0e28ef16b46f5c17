import { findChain } from '../chains/index.ts';
import type { RegisterRows } from '../registers/index.ts';
import shocks from './shocks.json' with { type: 'json' };

export const DEPENDENCY_KINDS = [
  'issuer',
  'protocol',
  'bridge',
  'underlying',
  'collateral',
  'oracle',
  'chain',
] as const;
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

/** One dependency of an asset. */
export interface Dependency {
  readonly kind: DependencyKind;
  /**
   * Name of the dependency, the same for all assets that have it; for an underlying asset its CAIP-19 id, if registers
   * have it.
   */
  readonly name: string;
  /** Part of the dependency's loss that the asset loses, 0-1. */
  readonly share: number;
  /** Where it is stated: the row of a register, or the chain in the asset's id. */
  readonly source: string;
  /** False if no source that was read proves the cell. */
  readonly confirmed: boolean;
}

/** The rows about an asset, and the name by which registers refer to assets. */
export interface RowsOf {
  readonly rows: (assetId: string) => { readonly shipped: RegisterRows; readonly own: RegisterRows };
  /** CAIP-19 id of the asset that a row names by its id in the registry of coins; null where no register has it. */
  readonly assetNamed: (name: string) => string | null;
}

type Row = NonNullable<RegisterRows['issuer']>;

/** Smaller shares are left out: they are numerous and have no effect. */
const LEAST_SHARE = shocks.least_share;

/**
 * The dependencies of an asset, from the registers and its id: issuer or protocol, bridge, the asset that it
 * represents, collateral and its price feeds, and chain. Nothing is guessed: without a row there is no edge.
 */
export function dependenciesOf(
  { assetId, chain, at }: { readonly assetId: string; readonly chain: string | null; readonly at: string },
  { rows, assetNamed }: RowsOf,
): readonly Dependency[] {
  const { shipped, own } = rows(assetId);
  const day = at.slice(0, 10);
  // A row that is past its review date proves nothing.
  const aged = (row: Row | null | undefined) =>
    row == null ? null : { ...row, isExpired: String(row.expires ?? '') < day };
  const found = [own, shipped].flatMap((book) => [
    ...ofIssuer(aged(book.issuer), assetNamed),
    ...ofProtocol(aged(book.protocol), chain, assetNamed),
    ...ofPositions(aged(book.positions)),
  ]);
  const onChain: readonly Dependency[] =
    chain === null
      ? []
      : [{ kind: 'chain', name: chain, share: shocks.transmission.chain, source: 'asset id', confirmed: true }];
  return merged([...found, ...onChain].filter(({ share, name }) => share >= LEAST_SHARE && name !== assetId));
}

/**
 * An operator's row and a shipped one may state the same dependency: the first of them counts. Parts of one row are
 * added.
 */
function merged(all: readonly Dependency[]): readonly Dependency[] {
  const byThing = new Map<string, Dependency>();
  for (const one of all) {
    const key = `${one.kind} ${one.name}`;
    const known = byThing.get(key);
    if (known === undefined) byThing.set(key, one);
    else if (known.source === one.source)
      byThing.set(key, {
        ...known,
        share: Math.min(1, known.share + one.share),
        confirmed: known.confirmed && one.confirmed,
      });
  }
  return [...byThing.values()].toSorted((a, b) => compared(a.kind, b.kind) || compared(a.name, b.name));
}

const compared = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function dependency(
  row: Row,
  register: string,
  kind: DependencyKind,
  cell: string,
  name: string,
  part = 1,
): Dependency {
  const unconfirmed = Array.isArray(row.unconfirmed) && row.unconfirmed.includes(cell);
  return {
    kind,
    name,
    share: Math.min(1, part) * shocks.transmission[kind],
    source: `registers/${register}#${String(row.id)}`,
    confirmed: !unconfirmed && row.isExpired !== true,
  };
}

function ofIssuer(row: Row | null, assetNamed: RowsOf['assetNamed']): readonly Dependency[] {
  if (row === null) return [];
  const entity = textOf(row.issuer);
  return [
    ...(entity === null ? [] : [dependency(row, 'issuers', 'issuer', 'issuer', entity)]),
    ...underlyings(row, 'issuers', assetNamed),
  ];
}

function ofProtocol(row: Row | null, chain: string | null, assetNamed: RowsOf['assetNamed']): readonly Dependency[] {
  if (row === null) return [];
  const name = textOf(row.protocol);
  const collateral = ['collateral', 'backing'].find((cell) => mixOf(row[cell]).length > 0);
  return [
    ...(name === null ? [] : [dependency(row, 'protocols', 'protocol', 'protocol', name)]),
    ...underlyings(row, 'protocols', assetNamed),
    ...(collateral === undefined
      ? []
      : mixOf(row[collateral]).map(([kind, part]) =>
          dependency(row, 'protocols', 'collateral', collateral, kind, part),
        )),
    ...bridge(row, chain),
  ];
}

/** The token is native on the chain that its protocol lists first; on other chains it was bridged. */
function bridge(row: Row, chain: string | null): readonly Dependency[] {
  const tokens = Array.isArray(row.tokens) ? (row.tokens as readonly { readonly chain?: unknown }[]) : [];
  const caip2 = chain === null ? null : (findChain(chain)?.caip2 ?? null);
  const home = textOf(tokens[0]?.chain);
  if (caip2 === null || home === null || home === caip2) return [];
  return [dependency(row, 'protocols', 'bridge', 'tokens', `${home} to ${caip2}`)];
}

function underlyings(row: Row, register: string, assetNamed: RowsOf['assetNamed']): readonly Dependency[] {
  const one = textOf(row.underlying);
  const parts = mixOf(row.underlyings);
  const named = (name: string) => assetNamed(name) ?? name;
  if (parts.length > 0)
    return parts.map(([name, part]) => dependency(row, register, 'underlying', 'underlyings', named(name), part));
  return one === null ? [] : [dependency(row, register, 'underlying', 'underlying', named(one))];
}

/**
 * Markets in which a coin was issued: their kinds of collateral and the price feeds of these. The row does not contain
 * the amounts, which are read from the chain, so each kind gets an equal share.
 */
function ofPositions(row: Row | null): readonly Dependency[] {
  const markets = (Array.isArray(row?.markets) ? row.markets : []) as readonly {
    readonly held?: readonly { readonly kind?: unknown; readonly feed?: unknown }[];
  }[];
  if (row === null || markets.length === 0) return [];
  return markets.flatMap(({ held = [] }) => {
    const kinds = [...new Set(held.flatMap(({ kind }) => textOf(kind) ?? []))];
    const feeds = [...new Set(held.flatMap(({ feed }) => textOf(feed) ?? []))];
    const part = 1 / markets.length;
    return [
      ...kinds.map((kind) => dependency(row, 'positions', 'collateral', 'markets', kind, part / kinds.length)),
      ...feeds.map((feed) =>
        dependency(row, 'positions', 'oracle', 'markets', `Chainlink ${feed} / USD`, part / feeds.length),
      ),
    ];
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function mixOf(value: unknown): readonly (readonly [string, number])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
  );
}
