import type { Underlying } from '../domain/index.ts';
import { capThresholds, toScore } from '../methodology/index.ts';
import { type Context, consensusOf, isGuarded, isHardened } from './context.ts';

/** What a token stands for: its score (0-100) and a sentence about it. */
interface Standing {
  readonly score: number;
  readonly detail: string;
}

type Rated = Underlying & { readonly score: number };

/**
 * The underlying of the asset. With several underlyings: their mean weighted by share, but no better than the worst one
 * whose share exceeds the threshold; parts that are not rated count as unproven, and since methodology 1.9.0 so does an
 * underlying of which nothing is. Null when nothing is known of an underlying.
 */
export function underlyingOf(context: Context): Standing | null {
  const { underlying = null, underlyings = [] } = context.input;
  const least = capThresholds(context.methodology).UNDERLYING.share;
  const parts = underlyings.filter(({ share }) => share > 0);
  const known = parts.flatMap(({ score, ...part }): readonly Rated[] => (score === null ? [] : [{ ...part, score }]));
  if (known.length === 0) return alone(context, underlying ?? parts[0] ?? null);
  const rows = [...known, ...unratedPart(context, known)];
  const whole = rows.reduce((sum, { share }) => sum + share, 0);
  const mean = rows.reduce((sum, { share, score }) => sum + share * score, 0) / whole;
  const all = { name: 'the mean of what it stands for', score: toScore(mean) };
  return standing(
    rows.filter(({ share }) => share > least).reduce((worst, row) => (row.score < worst.score ? row : worst), all),
  );
}

function alone(context: Context, found: Omit<Underlying, 'share'> | null): Standing | null {
  if (found === null) return null;
  const { name, score } = found;
  if (score !== null) return standing({ name, score });
  const unproven = isGuarded(context) ? unprovenScore(context) : null;
  return unproven === null ? null : { score: unproven, detail: `${name} was never rated` };
}

function standing({ name, score }: Pick<Rated, 'name' | 'score'>): Standing {
  return { score, detail: `${name} stands at ${score}` };
}

/** The part of a mix that is not rated, as one row. */
function unratedPart(context: Context, known: readonly Rated[]): readonly Rated[] {
  const mix = consensusOf(context, 'underlying_assets')?.value;
  if (!isHardened(context) || typeof mix !== 'object' || mix === null) return [];
  const stated = Object.values(mix).reduce<number>((sum, share) => sum + Math.max(0, Number(share) || 0), 0);
  const share = stated - known.reduce((sum, row) => sum + row.share, 0);
  const score = unprovenScore(context);
  return share <= 0 || score === null ? [] : [{ name: 'what is not rated of it', share, score }];
}

/** The highest score of an underlying that leaves the cap of an unproven backing. */
function unprovenScore({ methodology }: Context): number | null {
  const unproven = methodology.caps.find(({ code }) => code === 'BACKING_UNPROVEN')?.cap;
  return unproven === undefined ? null : toScore(unproven + capThresholds(methodology).UNDERLYING.below);
}
