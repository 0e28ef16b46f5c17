/** A published rating as its record gives it. */
export interface RatedOnce {
  readonly as_of: string;
  readonly score: number | null;
  readonly band: string;
  readonly risk_flags: readonly { readonly code: string; readonly severity: string }[];
}

export interface Demanded {
  readonly kind: 'score_change' | 'risk_flag_change' | 'band_transition';
  readonly as_of: string;
}

const LEAST_CHANGE = 5;
const COUNTED = new Set(['high', 'critical']);

/**
 * The alerts that the ratings of an asset require for an entry with the usual thresholds, which was added when the first of
 * them was the newest: computed from docs/alerts.md, without the service's code.
 */
export function demandedAlerts(ratings: readonly RatedOnce[]): readonly Demanded[] {
  const [first, ...later] = ratings;
  if (first === undefined) return [];
  const demanded: Demanded[] = [];
  let told = first.score;
  let before = first;
  for (const rating of later) {
    const { as_of } = rating;
    if (told !== null && rating.score !== null && Math.round(Math.abs(rating.score - told) * 10) >= LEAST_CHANGE * 10) {
      demanded.push({ kind: 'score_change', as_of });
      told = rating.score;
    }
    told ??= rating.score;
    if (flagsMoved(before, rating)) demanded.push({ kind: 'risk_flag_change', as_of });
    if (rating.band !== before.band) demanded.push({ kind: 'band_transition', as_of });
    before = rating;
  }
  return demanded;
}

function flagsMoved(before: RatedOnce, now: RatedOnce): boolean {
  const [was, is] = [before, now].map(
    ({ risk_flags }) => new Map(risk_flags.map(({ code, severity }) => [code, severity])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...was.keys(), ...is.keys()])].some((code) => {
    const [old, next] = [was.get(code), is.get(code)];
    return old !== next && [old, next].some((severity) => severity !== undefined && COUNTED.has(severity));
  });
}
