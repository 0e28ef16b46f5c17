import type { ScoreRequest, TokenRecord } from '../domain/index.ts';
import { plainSymbol } from '../sources/index.ts';
import type { Finder } from './candidates.ts';
import type { IdentityReply } from './requests.ts';
import { compareNames, plainName } from './sites.ts';

/**
 * What the registries' complete lists say about a request. They contain no websites, so they tie nothing to a domain,
 * but they provide names, addresses and ids that would otherwise cost one search or lookup each.
 */
export interface Listed {
  /** The registry whose complete list of tokens is available; null without one. */
  readonly catalogue: string | null;
  /**
   * Result of a search by name at the source. Null if it must be requested: there is no list, or the list contains only
   * the largest tokens and has no matching row.
   */
  hitsOf(source: string): readonly TokenRecord[] | null;
  /** Catalogue ids of the rows with an address that the caller gave. */
  readonly given: readonly string[];
  /** The catalogue's row of an id, as a record without a website; null if there is none. */
  recordOf(id: string): TokenRecord | null;
  /**
   * The catalogue's id of a token of another registry, matched by name, symbol and price; null when the match is not
   * certain.
   */
  catalogueIdOf(source: string, id: string): string | null;
  /** True if a row has the project's name or symbol and known addresses, or is a chain's own coin. */
  readonly isKnown: boolean;
}

/** A requested list; `answer` is null if it was not received. */
export interface ReadList {
  readonly finder: Finder<'list'>;
  readonly answer: IdentityReply | null;
}

const MOST_ROWS = 60_000;
const MOST_HITS = 50;
/** Maximum difference (in ln) between two registries' prices of one coin, read minutes apart. */
const SAME_PRICE = 0.1;

/** Searches the lists for the request. `places`: addresses that the caller gave, as `chain:address`. */
export function lookUp(request: ScoreRequest, places: readonly string[], lists: readonly ReadList[]): Listed {
  const readable = lists.flatMap(({ finder, answer }) => (answer === null ? [] : [{ finder, index: indexOf(answer) }]));
  const listOf = (of: Finder<'list'>['finds']['of'], source?: string) =>
    readable.find(({ finder }) => finder.finds.of === of && (source === undefined || finder.source === source));
  const all = listOf('all');
  const catalogue = all?.finder.source ?? null;
  const figures = catalogue === null ? null : (listOf('figures', catalogue)?.index ?? null);
  const hits = all === undefined ? [] : rowsFor(request, places, all.index);
  return {
    catalogue,
    hitsOf(source) {
      if (source === catalogue)
        return hits.map((row) => ({ ...row, rank: figures?.byId.get(row.id ?? '')?.rank ?? null }));
      const part = listOf('largest', source)?.index;
      const found = part === undefined ? [] : rowsFor(request, [], part);
      return found.length === 0 ? null : found;
    },
    given: places.flatMap((place) => all?.index.byPlace.get(place)?.id ?? []),
    recordOf(id) {
      const row = all?.index.byId.get(id);
      return row === undefined ? null : { ...row, rank: figures?.byId.get(id)?.rank ?? null };
    },
    catalogueIdOf: (source, id) => sameCoin(listOf('largest', source)?.index.byId.get(id), all?.index ?? null, figures),
    isKnown: hits.some((row) => fits(request, row) && (row.addresses.length > 0 || row.nativeOf !== null)),
  };
}

interface Index {
  readonly byId: ReadonlyMap<string, TokenRecord>;
  readonly bySymbol: ReadonlyMap<string, readonly TokenRecord[]>;
  readonly byName: ReadonlyMap<string, readonly TokenRecord[]>;
  /** By the first letters of the plain name: similar names start with the same letters. */
  readonly byBeginning: ReadonlyMap<string, readonly TokenRecord[]>;
  readonly byPlace: ReadonlyMap<string, TokenRecord>;
}

const BEGINNING = 2;
// Lists are shared by all jobs and have thousands of rows: each is indexed once per fetch.
const indexes = new WeakMap<object, Index>();

function indexOf({ records }: IdentityReply): Index {
  const known = indexes.get(records);
  if (known) return known;
  const made = makeIndex(records);
  indexes.set(records, made);
  return made;
}

function makeIndex(records: readonly TokenRecord[]): Index {
  const byId = new Map<string, TokenRecord>();
  const bySymbol = new Map<string, TokenRecord[]>();
  const byName = new Map<string, TokenRecord[]>();
  const byBeginning = new Map<string, TokenRecord[]>();
  const byPlace = new Map<string, TokenRecord>();
  const put = (map: Map<string, TokenRecord[]>, key: string, row: TokenRecord) => {
    const rows = map.get(key);
    if (rows) rows.push(row);
    else map.set(key, [row]);
  };
  for (const row of records.slice(0, MOST_ROWS)) {
    const { id } = row;
    if (id === null || !/^[A-Za-z0-9_.-]{1,120}$/.test(id) || byId.has(id)) continue;
    byId.set(id, row);
    if (row.symbol !== null) put(bySymbol, row.symbol, row);
    const plain = row.name === null ? '' : plainName(row.name);
    if (plain !== '') {
      put(byName, plain, row);
      put(byBeginning, plain.slice(0, BEGINNING), row);
    }
    for (const place of row.addresses) if (!byPlace.has(place)) byPlace.set(place, row);
  }
  return { byId, bySymbol, byName, byBeginning, byPlace };
}

function rowsFor(request: ScoreRequest, places: readonly string[], index: Index): readonly TokenRecord[] {
  const name = plainName(request.project);
  const symbol = plainSymbol(request.tokenSymbol);
  const given = places.flatMap((place) => index.byPlace.get(place) ?? []);
  const named = index.byName.get(name) ?? [];
  const bearing = [
    ...(symbol === null ? [] : (index.bySymbol.get(symbol) ?? [])),
    ...(index.bySymbol.get(name.toUpperCase()) ?? []),
  ];
  const alike =
    given.length + named.length > 0
      ? []
      : (index.byBeginning.get(name.slice(0, BEGINNING)) ?? []).filter(
          (row) => compareNames(request.project, row.name) !== 'other',
        );
  return [...new Set([...given, ...named, ...bearing, ...alike])].slice(0, MOST_HITS);
}

function fits(request: ScoreRequest, row: TokenRecord): boolean {
  return compareNames(request.project, row.name) === 'same' || row.symbol === plainName(request.project).toUpperCase();
}

/** The only coin with the ticker's symbol, name and price. A chain's own coin is matched without a price. */
function sameCoin(ticker: TokenRecord | undefined, coins: Index | null, figures: Index | null): string | null {
  if (ticker === undefined || coins === null || ticker.symbol === null || ticker.name === null) return null;
  const candidates = (coins.bySymbol.get(ticker.symbol) ?? []).filter(
    (row) => plainName(row.name ?? '') === plainName(ticker.name ?? ''),
  );
  const [only] = candidates;
  if (candidates.length !== 1 || only === undefined) return null;
  if (only.nativeOf !== null && only.nativeOf === ticker.nativeOf) return only.id;
  const theirs = ticker.priceUsd;
  const ours = figures?.byId.get(only.id ?? '')?.priceUsd ?? null;
  if (theirs === null || ours === null) return null;
  return Math.abs(Math.log(theirs / ours)) <= SAME_PRICE ? only.id : null;
}

/**
 * Ids whose details are read at one registry, most likely first: those of `tied` (tokens of projects on the domain),
 * then search results with the project's name or symbol. At most `most`, because the registries' budgets are small
 * (CoinGecko: five calls a minute) and the collection needs most of them.
 */
export function idsWorthReading(
  request: ScoreRequest,
  source: string,
  tied: readonly TokenRecord[],
  hits: readonly TokenRecord[],
  most: number,
): readonly string[] {
  const fits = hits
    .map((row) => ({ id: row.id ?? '', fit: fitOf(request, row.name, row.symbol), rank: orLast(row.rank) }))
    .filter((row) => row.fit > 0 && /^[A-Za-z0-9_.-]{1,120}$/.test(row.id))
    .sort((a, b) => b.fit - a.fit || a.rank - b.rank || (a.id < b.id ? -1 : 1));
  // If one result has both name and symbol, results with only the symbol are not worth a request.
  const least = fits[0]?.fit === 4 ? 3 : 1;
  const likely = fits.filter((row) => row.fit >= least);
  return [...new Set([...tied.flatMap((token) => token.ids[source] ?? []), ...likely.map((row) => row.id)])].slice(
    0,
    most,
  );
}

/** 0: neither; 1: symbol only; 2: a similar name; 3: the same name; 4: the same name and symbol. */
function fitOf(request: ScoreRequest, name: string | null, symbol: string | null): number {
  const likeness = compareNames(request.project, name);
  const wanted = plainSymbol(request.tokenSymbol);
  const sameSymbol = symbol !== null && (symbol === wanted || symbol === plainName(request.project).toUpperCase());
  if (likeness === 'same') return sameSymbol ? 4 : 3;
  if (likeness === 'alike') return 2;
  return sameSymbol ? 1 : 0;
}

/**
 * If the caller gave no symbol, returns the symbols of the best results: some registries can only be searched by
 * symbol.
 */
export function symbolsWorthMapping(
  request: ScoreRequest,
  tied: readonly TokenRecord[],
  hits: readonly TokenRecord[],
): readonly string[] {
  const named = hits.filter((row) => fitOf(request, row.name, null) >= 3);
  const symbols = [...tied, ...named].map((row) => row.symbol);
  return [
    ...new Set(symbols.filter((symbol): symbol is string => symbol !== null && /^[A-Z0-9.]{1,20}$/.test(symbol))),
  ].slice(0, 2);
}

function orLast(rank: number | null): number {
  return rank ?? Number.MAX_SAFE_INTEGER;
}
