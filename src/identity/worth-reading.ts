import type { ScoreRequest } from '../domain/identification.ts';
import { compareNames, plainName, plainSymbol } from './names.ts';
import { dig, listOf } from './record.ts';
import type { Answered, Protocol } from './registry-records.ts';

/** Replies of the searches that lead to ids; null when a search was not asked or not answered. */
interface Found {
  readonly coingecko: Answered | null;
  readonly map: Answered | null;
  readonly coinpaprika: Answered | null;
}

// The registries' own budgets are small (CoinGecko: five calls a minute), and collecting needs most of them.
const MOST_DETAILS = { coingecko: 3, coinmarketcap: 3, coinpaprika: 2 } as const;
/** Ids whose details are read, most likely first: those that DefiLlama ties to the domain, then those that the searches show under the project's name or symbol. */
export function idsWorthReading(request: ScoreRequest, own: readonly Protocol[], first: Found) {
  const pick = (
    rows: readonly unknown[],
    tied: readonly (string | null)[],
    most: number,
    rank: (row: unknown) => unknown,
  ) => {
    const fits = rows
      .map((row) => ({
        id: String(dig(row, 'id') ?? ''),
        fit: fitOf(request, dig(row, 'name'), dig(row, 'symbol')),
        rank: Number(rank(row) ?? Number.NaN),
      }))
      .filter((row) => row.fit > 0 && /^[A-Za-z0-9_.-]{1,120}$/.test(row.id))
      .sort((a, b) => b.fit - a.fit || orLast(a.rank) - orLast(b.rank) || (a.id < b.id ? -1 : 1));
    // Where one bears name and symbol both, those that share the symbol alone are not worth a call.
    const least = fits[0]?.fit === 4 ? 3 : 1;
    const likely = fits.filter((row) => row.fit >= least);
    return [...new Set([...tied.filter((id) => id !== null), ...likely.map((row) => row.id)])].slice(0, most);
  };
  const tokens = own.flatMap((row) => row.token ?? []);
  return {
    coingecko: pick(
      listOf(dig(first.coingecko?.reply, 'coins'), 100),
      tokens.map((token) => token.coingeckoId),
      MOST_DETAILS.coingecko,
      (row) => dig(row, 'market_cap_rank'),
    ),
    coinmarketcap: pick(
      listOf(dig(first.map?.reply, 'data'), 200),
      tokens.map((token) => token.cmcId),
      MOST_DETAILS.coinmarketcap,
      (row) => dig(row, 'rank'),
    ),
    coinpaprika: pick(listOf(dig(first.coinpaprika?.reply, 'currencies'), 100), [], MOST_DETAILS.coinpaprika, (row) =>
      dig(row, 'rank'),
    ),
  };
}

/** 0: neither; 1: symbol only; 2: a similar name; 3: the same name; 4: the same name and symbol. */
function fitOf(request: ScoreRequest, name: unknown, symbol: unknown): number {
  const likeness = compareNames(request.project, typeof name === 'string' ? name : null);
  const wanted = plainSymbol(request.tokenSymbol);
  const bears = plainSymbol(typeof symbol === 'string' ? symbol : null);
  const sameSymbol = bears !== null && (bears === wanted || bears === plainName(request.project).toUpperCase());
  if (likeness === 'same') return sameSymbol ? 4 : 3;
  if (likeness === 'alike') return 2;
  return sameSymbol ? 1 : 0;
}

/** Without a symbol from the caller, the ones that the best finds bear: CoinMarketCap is asked by symbol only. */
export function symbolsWorthMapping(request: ScoreRequest, own: readonly Protocol[], first: Found): readonly string[] {
  const named = listOf(dig(first.coingecko?.reply, 'coins'), 100)
    .filter((row) => fitOf(request, dig(row, 'name'), null) >= 3)
    .map((row) => dig(row, 'symbol'));
  const all = [...own.map((row) => row.token?.symbol), ...named].map((symbol) =>
    plainSymbol(typeof symbol === 'string' ? symbol : null),
  );
  return [
    ...new Set(all.filter((symbol): symbol is string => symbol !== null && /^[A-Z0-9.]{1,20}$/.test(symbol))),
  ].slice(0, 2);
}

function orLast(rank: number): number {
  return Number.isFinite(rank) && rank > 0 ? rank : Number.MAX_SAFE_INTEGER;
}
