import type { ScoreRequest, TokenRecord } from '../domain/index.ts';
import { plainSymbol } from '../sources/index.ts';
import { compareNames, plainName } from './names.ts';

/**
 * Ids at one registry whose details are read, most likely first: those that `tied`, the tokens of projects on the domain, have
 * there, then those that its search shows under the project's name or symbol. At most `most`: the registries' own budgets are
 * small (CoinGecko: five calls a minute), and collecting needs most of them.
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
  // Where one bears name and symbol both, those that share the symbol alone are not worth a call.
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

/** Without a symbol from the caller, the ones that the best finds bear: some registries are searched by symbol only. */
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
