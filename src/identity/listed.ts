import { CHAINS, chainCalled } from '../chains/index.ts';
import type { ScoreRequest } from '../domain/identification.ts';
import { positive, text } from '../sources/read.ts';
import { compareNames, plainName, plainSymbol } from './names.ts';
import { dig, emptyRecord, listOf, placed, readWords, sorted, type TokenRecord } from './record.ts';
import type { Answered } from './registry-records.ts';

/**
 * What the registries' lists of everything say about a request. They hold no websites, so that they tie nothing to a domain;
 * but they give the names, addresses and ids that a search or a look-up would cost a call for each.
 */
export interface Listed {
  /** As CoinGecko's search would answer: the rows that bear the name, the symbol or an address; null without the list. */
  readonly coingecko: Answered | null;
  /** As CoinPaprika's search would answer; null without the list, or when it has no such row (the list ends at rank 2,000). */
  readonly coinpaprika: Answered | null;
  /** CoinGecko ids whose rows have an address that the caller gave. */
  readonly given: readonly string[];
  /** The row of a CoinGecko id as a record without a website; null when the list has none. */
  recordOf(coingeckoId: string): TokenRecord | null;
  /** The CoinGecko id of the coin that a CoinPaprika id stands for: same name, symbol and price; null when that is not sure. */
  coingeckoIdOf(coinpaprikaId: string): string | null;
  /** True when a row bears the project's name or symbol and its addresses are known, or it is a chain's own coin. */
  readonly isKnown: boolean;
}

export interface ReadLists {
  readonly coins: Answered | null;
  readonly markets: Answered | null;
  readonly tickers: Answered | null;
}

const MOST_ROWS = 60_000;
const MOST_HITS = 50;
/** How far two registries' prices of one coin may lie apart, minutes apart. */
const SAME_PRICE = 0.1;
// Words that CoinGecko uses for copies of another token, in ids and names.
const COPY_ID = /(^|-)(bridged|wrapped|wormhole|axelar|multichain|anyswap|layerzero-bridged)(-|$)/;
const COPY_NAME = /^(bridged|wrapped)\b|\((wormhole|pos|bridged|axelar|multichain)\b[^)]*\)$/i;

/** Looks the request up in the lists. `places`: addresses that the caller gave, `chain:address`. */
export function lookUp(request: ScoreRequest, places: readonly string[], lists: ReadLists): Listed {
  const coins = indexOf(lists.coins);
  const markets = indexOf(lists.markets);
  const tickers = indexOf(lists.tickers);
  const hits = coins === null ? [] : rowsFor(request, places, coins);
  const ranked = hits.map((row) => ({
    id: row.id,
    name: row.name,
    symbol: row.symbol,
    market_cap_rank: positive(dig(markets?.byId.get(row.id)?.row, 'market_cap_rank')),
  }));
  const priced = tickers === null ? [] : rowsFor(request, [], tickers);
  return {
    coingecko: lists.coins && { ...lists.coins, reply: { coins: ranked } },
    coinpaprika:
      lists.tickers && priced.length > 0
        ? {
            ...lists.tickers,
            reply: {
              currencies: priced.map(({ id, name, symbol, row }) => ({ id, name, symbol, rank: dig(row, 'rank') })),
            },
          }
        : null,
    given: places.flatMap((place) => coins?.byPlace.get(place)?.id ?? []),
    recordOf: (id) => recordOf(coins?.byId.get(id) ?? null, markets?.byId.get(id) ?? null),
    coingeckoIdOf: (id) => sameCoin(tickers?.byId.get(id) ?? null, coins, markets),
    isKnown: hits.some((row) => fits(request, row) && (placesOf(row.row).length > 0 || nativeOf(row.id) !== null)),
  };
}

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly row: unknown;
}

interface Index {
  readonly byId: ReadonlyMap<string, Row>;
  readonly bySymbol: ReadonlyMap<string, readonly Row[]>;
  readonly byName: ReadonlyMap<string, readonly Row[]>;
  /** By the first letters of the plain name: names that are alike begin alike. */
  readonly byBeginning: ReadonlyMap<string, readonly Row[]>;
  readonly byPlace: ReadonlyMap<string, Row>;
}

const BEGINNING = 2;
// Lists are shared by all jobs and have thousands of rows: each is indexed once per fetch.
const indexes = new WeakMap<object, Index>();

function indexOf(answer: Answered | null): Index | null {
  const list = answer?.reply;
  if (!Array.isArray(list)) return null;
  const known = indexes.get(list);
  if (known) return known;
  const made = makeIndex(list as readonly unknown[]);
  indexes.set(list, made);
  return made;
}

function makeIndex(list: readonly unknown[]): Index {
  const byId = new Map<string, Row>();
  const bySymbol = new Map<string, Row[]>();
  const byName = new Map<string, Row[]>();
  const byBeginning = new Map<string, Row[]>();
  const byPlace = new Map<string, Row>();
  const put = (map: Map<string, Row[]>, key: string, row: Row) => {
    const rows = map.get(key);
    if (rows) rows.push(row);
    else map.set(key, [row]);
  };
  for (const entry of listOf(list, MOST_ROWS)) {
    const id = dig(entry, 'id');
    if (typeof id !== 'string' || !/^[A-Za-z0-9_.-]{1,120}$/.test(id) || byId.has(id)) continue;
    const row = {
      id,
      name: text(dig(entry, 'name'), 120),
      symbol: plainSymbol(text(dig(entry, 'symbol'), 32)),
      row: entry,
    };
    byId.set(id, row);
    if (row.symbol !== null) put(bySymbol, row.symbol, row);
    const plain = row.name === null ? '' : plainName(row.name);
    if (plain !== '') {
      put(byName, plain, row);
      put(byBeginning, plain.slice(0, BEGINNING), row);
    }
    for (const place of placesOf(entry)) if (!byPlace.has(place)) byPlace.set(place, row);
  }
  return { byId, bySymbol, byName, byBeginning, byPlace };
}

function rowsFor(request: ScoreRequest, places: readonly string[], index: Index): readonly Row[] {
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

function fits(request: ScoreRequest, row: Row): boolean {
  return compareNames(request.project, row.name) === 'same' || row.symbol === plainName(request.project).toUpperCase();
}

function recordOf(coin: Row | null, market: Row | null): TokenRecord | null {
  if (coin === null) return null;
  const words = readWords({ name: coin.name, symbol: coin.symbol, rank: dig(market?.row, 'market_cap_rank') });
  const addresses = placesOf(coin.row);
  return {
    ...emptyRecord('coingecko', 'coingecko', true),
    ...words,
    id: coin.id,
    addresses: sorted(addresses),
    // The list names the chain that a coin calls its own first, as the coin's own page does.
    home: firstChain(coin.row),
    nativeOf: nativeOf(coin.id),
    copy: COPY_ID.test(coin.id) || COPY_NAME.test(coin.name ?? ''),
    coingeckoId: coin.id,
  };
}

function nativeOf(coingeckoId: string): string | null {
  return CHAINS.find((chain) => chain.native.coingeckoId === coingeckoId)?.name ?? null;
}

/** Addresses of a row of CoinGecko's list on chains of ours, `chain:address`. */
function placesOf(row: unknown): readonly string[] {
  return platformsOf(row).flatMap(([platform, address]) => placed(chainCalled('coingecko', platform), address) ?? []);
}

function firstChain(row: unknown): string | null {
  const [first] = platformsOf(row);
  return chainCalled('coingecko', first?.[0])?.name ?? null;
}

function platformsOf(row: unknown): readonly (readonly [string, unknown])[] {
  const platforms = dig(row, 'platforms');
  return typeof platforms === 'object' && platforms !== null ? Object.entries(platforms).slice(0, 60) : [];
}

/** The one coin of the same symbol and name whose price is the ticker's; a chain's own coin is known by both its ids. */
function sameCoin(ticker: Row | null, coins: Index | null, markets: Index | null): string | null {
  if (ticker === null || coins === null || ticker.symbol === null || ticker.name === null) return null;
  const native = chainCalled('coinpaprika', ticker.id)?.native.coingeckoId;
  const candidates = (coins.bySymbol.get(ticker.symbol) ?? []).filter(
    (row) => plainName(row.name ?? '') === plainName(ticker.name ?? ''),
  );
  const [only] = candidates;
  if (candidates.length !== 1 || only === undefined) return null;
  if (only.id === native) return only.id;
  const theirs = positive(dig(ticker.row, 'quotes', 'USD', 'price'));
  const ours = positive(dig(markets?.byId.get(only.id)?.row, 'current_price'));
  if (theirs === null || ours === null) return null;
  return Math.abs(Math.log(theirs / ours)) <= SAME_PRICE ? only.id : null;
}
