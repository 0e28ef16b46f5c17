import type { Factor, Feature, FeatureInput, Rating } from '../../domain/index.ts';
import type { FeatureDefinition } from '../../methodology/index.ts';
import { plain } from './plain.ts';

/** Why a feature has its points, from the numbers. */
export function featureRationale(
  feature: FeatureInput,
  definition: FeatureDefinition,
  { points, rest, silent }: { readonly points: number | null; readonly rest: number; readonly silent: boolean },
  sources: number,
): string {
  if (feature.status === 'not_applicable') return `Not applicable: ${feature.method}.`;
  if (silent) return plain(`The project shows none (${feature.method}): counts ${rest.toFixed(1)} points.`, 500);
  if (feature.status === 'unknown') return `Not known: ${feature.method}; counts ${rest.toFixed(1)} points.`;
  const value = feature.raw === null ? 'nothing' : formatValue(feature.raw, feature.unit);
  const certainty = `confidence ${feature.confidence.toFixed(2)}${sources > 0 ? `, ${sources} source${sources === 1 ? '' : 's'}` : ''}`;
  const worth = points === null ? 'no points' : `${points.toFixed(1)} of 100 points`;
  return plain(`${definition.name}: ${value} (${feature.method}) gives ${worth}; ${certainty}.`, 500);
}

/** Why a factor has its score: the features that pull most, and what is missing. */
export function factorRationale(factor: Omit<Factor, 'rationale'>): string {
  const applicable = factor.features.filter((feature) => feature.status !== 'not_applicable' && feature.weight > 0);
  const known = applicable.filter((feature) => feature.score !== null && !feature.silent);
  if (known.length === 0)
    return applicable.some((feature) => feature.silent)
      ? `The project shows nothing of ${factor.name.toLowerCase()}; it stands at ${factor.score.toFixed(1)}.`
      : `Nothing is known of ${factor.name.toLowerCase()}; it stands at ${factor.score.toFixed(1)}, where the unknown stands.`;
  const pull = (feature: Feature) => feature.weight * feature.confidence * ((feature.score ?? 0) - factor.score);
  const best = [...known].sort((a, b) => pull(b) - pull(a))[0];
  const worst = [...known].sort((a, b) => pull(a) - pull(b))[0];
  const parts = [
    `${factor.score.toFixed(1)} from ${known.length} of ${applicable.length} features, confidence ${factor.confidence.toFixed(2)}.`,
  ];
  if (best && pull(best) > 0) parts.push(`Best: ${best.name.toLowerCase()} ${shown(best)}.`);
  if (worst && pull(worst) < 0) parts.push(`Worst: ${worst.name.toLowerCase()} ${shown(worst)}.`);
  const named = (rows: readonly Feature[]) => rows.map((feature) => feature.name.toLowerCase()).join(', ');
  const silent = applicable.filter((feature) => feature.silent);
  const missing = applicable.filter((feature) => feature.score === null && !feature.silent);
  if (silent.length > 0) parts.push(`The project shows none: ${named(silent)}.`);
  if (missing.length > 0) parts.push(`Not known: ${named(missing)}.`);
  return plain(parts.join(' '), 600);
}

/** Three to five sentences for a person. */
export function summaryOf(name: string, rating: Omit<Rating, 'summary'>): string {
  const label = plain(name, 80);
  const trust = `trust in the evidence is ${rating.trust.score} (${rating.trust.tier})`;
  const first =
    rating.score === null
      ? `${label} is not rated: ${rating.notRatedReasons.join('; ')}; ${trust}.`
      : `${label} is rated ${rating.band} with a score of ${rating.score}${rating.interval ? ` (80 % interval ${rating.interval[0]} to ${rating.interval[1]})` : ''}; ${trust}.`;
  const binding = rating.caps.find((cap) => cap.binding);
  const capped =
    binding && rating.uncappedScore !== null
      ? ` Without a cap it would be ${rating.uncappedScore}; the cap ${binding.code} applies because ${binding.detail}.`
      : '';
  const ranked = [...rating.factors].sort((a, b) => b.points - a.points);
  const up = ranked[0];
  const down = ranked.at(-1);
  const moved =
    up && down
      ? ` ${up.name} adds most (${up.points > 0 ? '+' : ''}${up.points}), ${down.name.toLowerCase()} ${down.points < 0 ? 'takes most away' : 'adds least'} (${down.points > 0 ? '+' : ''}${down.points}).`
      : '';
  const severe = rating.flags.filter((flag) => flag.severity === 'critical' || flag.severity === 'high');
  const flags =
    severe.length > 0
      ? ` ${severe.length} severe flag${severe.length === 1 ? '' : 's'}: ${severe
          .slice(0, 4)
          .map((flag) => flag.title.toLowerCase())
          .join(', ')}.`
      : ' No severe flag was raised.';
  const value =
    rating.vfr.value === null
      ? ` No fair value: ${rating.vfr.reason}.`
      : ` Value against ${COMPARED[rating.vfr.method](rating.vfr.peers)}: ${rating.vfr.value} (${rating.vfr.zone}); this is no forecast.`;
  return plain(`${first}${capped}${moved}${flags}${value}`, 1_500);
}

function shown(feature: Feature): string {
  return `${formatValue(feature.raw ?? '', feature.unit)} (${(feature.score ?? 0).toFixed(0)} points)`;
}

/** What a value stands against. */
const COMPARED: Readonly<Record<Rating['vfr']['method'], (peers: number) => string>> = {
  peg: () => 'its redemption value',
  multiples: (peers) => `${peers} peers`,
  multiples_and_regression: (peers) => `${peers} peers`,
  rounds: (peers) => `${peers} funding rounds of the same stage`,
  none: () => 'nothing',
};

/** Made once: making one costs more than all its uses. */
const WHOLE = new Intl.NumberFormat('en-US');

function formatValue(raw: number | string, unit: string): string {
  if (typeof raw === 'string') return raw === '' ? 'nothing' : plain(raw, 60);
  if (unit === 'usd')
    return `${Math.abs(raw) >= 1000 ? WHOLE.format(Math.round(raw)) : Number(raw.toPrecision(4))} USD`;
  if (unit.startsWith('fraction')) return `${Number((raw * 100).toPrecision(4))} %`;
  if (unit === 'days') return `${WHOLE.format(Math.round(raw))} days`;
  return `${Math.abs(raw) >= 1000 ? WHOLE.format(Math.round(raw)) : Number(raw.toPrecision(4))}`;
}
