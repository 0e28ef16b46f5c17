import type { Json } from '../domain/index.ts';
import { assetName, type KeptRow, keptRows, rowId, rowsOf } from './load.ts';
import { FILES, REGISTER_NAMES, type RegisterName } from './schema.ts';
import { type CellState, isReviewed, type RegisterRow, type RowState, stateOfCell, stateOfRow } from './state.ts';
import { registerTerms } from './terms.ts';

/** Summary of a register for readers. */
export interface RegisterSummary {
  readonly name: RegisterName;
  /** Subject of a row. */
  readonly about: string;
  readonly rows: number;
  readonly confirmed: number;
  readonly unconfirmed: number;
  readonly expired: number;
  /** Number of the operator's own rows. */
  readonly own: number;
  /** Earliest day (YYYY-MM-DD) by which a cell has to be reviewed again; null without such a day. */
  readonly oldestExpiry: string | null;
}

const ABOUT: Readonly<Record<RegisterName, string>> = {
  natives: 'Coins of chains: who may make blocks, who changes the rules, contracts, premine.',
  issuers: 'Issuers of tokens: tier, licence, powers, reserve report, backing, segregation, redemption, insolvency.',
  protocols: 'Protocols and their tokens: claim of the holder, who controls the protocol, what a receipt stands for.',
  allocations: 'Genesis of tokens: share of insiders, unlocks of the next twelve months.',
  venues: 'Exchanges: names at each source, grade by our own rule, reserves.',
  outages: 'Chains: hours without blocks.',
  positions: 'Coins issued against collateral: what is owed, and where the collateral of each market is read.',
  labels: 'Addresses: exchange, bridge, locker and the like.',
  auditors: 'Audit firms: the domains and repositories where their reports are.',
};

/** A row for readers. */
export interface RegisterEntry {
  readonly id: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly state: RowState;
  readonly own: boolean;
  /** CAIP-19 ids of the assets that the row is about. */
  readonly assets: readonly string[];
  /** Day of the last review of the row, YYYY-MM-DD. */
  readonly readOn: string;
  readonly expires: string | null;
  readonly reviewers: readonly string[];
  readonly reviewed: boolean;
  readonly sources: readonly {
    readonly key: string;
    readonly url: string;
    readonly licence: string;
    readonly readOn: string | null;
  }[];
  readonly cells: readonly {
    readonly name: string;
    readonly value: Json;
    readonly state: CellState;
    readonly expires: string | null;
    /** Keys of `sources`. */
    readonly sources: readonly string[];
    readonly readOn: string | null;
  }[];
  readonly note: string | null;
}

/** All registers of the service, in a fixed order. `at`: RFC 3339. */
export function registerSummaries(at: string): readonly RegisterSummary[] {
  return registerNames().map((name) => {
    const rows = keptRows(name) ?? [];
    const states = rows.map(({ row }) => stateOfRow(row, at));
    const count = (wanted: RowState) => states.filter((state) => state === wanted).length;
    const days = rows.flatMap(({ row }) =>
      cellNames(row).flatMap((cell) => stateOfCell(row, cell, at, registerTerms()).expires ?? []),
    );
    return {
      name,
      about: ABOUT[name],
      rows: rows.length,
      confirmed: count('confirmed'),
      unconfirmed: count('unconfirmed'),
      expired: count('expired'),
      own: rows.filter(({ isOwn }) => isOwn).length,
      oldestExpiry: days.toSorted().at(0) ?? null,
    };
  });
}

/** Names of the registers. */
export function registerNames(): readonly RegisterName[] {
  return REGISTER_NAMES.filter((name) => keptRows(name) !== null);
}

/** JSON Schema of the file of a register. */
export function registerSchema(name: RegisterName): object {
  return FILES[name];
}

/**
 * Rows of a register about `asset` (CAIP-19; EVM addresses without case) that are in `state`, by id: at most `limit`,
 * after the cursor `after`. `next`: the cursor of the last one where more follow. Null where there is no such register.
 * `at`: RFC 3339.
 */
export function registerPage(
  name: RegisterName,
  wanted: {
    readonly asset: string | null;
    readonly state: RowState | null;
    readonly after: string | null;
    readonly limit: number;
  },
  at: string,
): { readonly rows: readonly RegisterEntry[]; readonly next: string | null } | null {
  const rows = keptRows(name);
  if (rows === null) return null;
  const asset = wanted.asset === null ? null : foldedId(wanted.asset);
  const found = rows.filter(
    ({ row }) =>
      (wanted.state === null || stateOfRow(row, at) === wanted.state) &&
      (asset === null || assetsOf(row).some((id) => foldedId(id) === asset)),
  );
  const { after } = wanted;
  const rest = after === null ? found : found.filter((kept) => placeOf(kept) > after);
  const page = rest.slice(0, wanted.limit);
  const last = page.at(-1);
  return {
    rows: page.map((kept) => entryOf(kept, at)),
    next: rest.length > page.length && last !== undefined ? placeOf(last) : null,
  };
}

/** Cursor of a row: in the order of `keptRows`, stable when other rows are added or removed. */
const placeOf = ({ row, isOwn }: KeptRow) => `${rowId(row)}\n${Number(isOwn)}`;
const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : null);
const foldedId = (id: string) => (id.startsWith('eip155:') ? id.toLowerCase() : id);

/** Fields of a row beside its cells. */
const KEPT = ['id', 'name', 'symbol', 'sources', 'unconfirmed', 'reviewed_by', 'seen', 'expires', 'note'];
const cellNames = (row: RegisterRow) => Object.keys(row).filter((cell) => !KEPT.includes(cell));

function entryOf({ row, sources, isOwn }: KeptRow, at: string): RegisterEntry {
  const seen = String(row.seen);
  const isProof = (key: string) => sources.some((source) => source.key === key && source.seen !== null);
  return {
    id: rowId(row),
    name: textOf(row.name) ?? textOf(row.owner),
    symbol: textOf(row.symbol),
    state: stateOfRow(row, at),
    own: isOwn,
    assets: assetsOf(row),
    readOn: seen,
    expires: textOf(row.expires),
    reviewers: (Array.isArray(row.reviewed_by) ? row.reviewed_by : []).map(String),
    reviewed: isReviewed(row),
    sources: sources.map(({ key, url, licence, seen: readOn }) => ({ key, url, licence, readOn })),
    cells: cellNames(row).map((name) => {
      const named = citedBy(row[name]);
      const { state, expires } = stateOfCell(row, name, at, registerTerms());
      const keys = named.keys.length > 0 ? named.keys : sources.map(({ key }) => key);
      // A proven cell rests on sources that were read; without one it proves nothing.
      return {
        name,
        value: row[name] ?? null,
        state,
        expires,
        sources: state === 'unconfirmed' ? keys : keys.filter(isProof),
        readOn: named.seen ?? seen,
      };
    }),
    note: textOf(row.note),
  };
}

/** Sources that the entries of a cell name themselves, and the newest day one was read. */
function citedBy(value: Json | undefined): { readonly keys: readonly string[]; readonly seen: string | null } {
  const entries = (Array.isArray(value) ? value : []) as readonly (RegisterRow | null)[];
  const keys = entries.flatMap((entry) => textOf(entry?.source) ?? []);
  const days = entries.flatMap((entry) => textOf(entry?.seen) ?? []);
  return { keys: [...new Set(keys)], seen: days.toSorted().at(-1) ?? null };
}

function assetsOf(row: RegisterRow): readonly string[] {
  const tokens = (Array.isArray(row.tokens) ? row.tokens : []) as readonly { chain: string; address: string }[];
  const coin = typeof row.caip2 === 'string' ? (rowsOf([assetName(row.caip2, 'native')]).shipped.natives ?? row) : null;
  return [
    ...tokens.map(({ chain, address }) => `${chain}/${chain.startsWith('eip155:') ? 'erc20' : 'token'}:${address}`),
    ...(typeof coin?.caip2 === 'string' && typeof coin.slip44 === 'number'
      ? [`${coin.caip2}/slip44:${coin.slip44}`]
      : []),
  ];
}
