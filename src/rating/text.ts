import { type Factor, type Feature, type Flag, type Rating, type TrustScore, whole } from '../domain/index.ts';
import type { FeatureDefinition, Methodology } from '../methodology/index.ts';
import { type Context, consensusOf, type FeatureReading, isHardened } from './context.ts';

/** Explains the points of a feature, from its numbers. */
export function featureRationale(
  feature: FeatureReading,
  definition: FeatureDefinition,
  { points, rest, silent }: { readonly points: number | null; readonly rest: number; readonly silent: boolean },
  sources: number,
  methodology: Methodology,
): string {
  if (feature.status === 'not_applicable') return `Not applicable: ${feature.method}.`;
  if (silent) return plain(`The project shows none (${feature.method}): counts ${rest.toFixed(1)} points.`, 500);
  if (feature.status === 'unknown') return `Not known: ${feature.method}; counts ${rest.toFixed(1)} points.`;
  const value = feature.raw === null ? 'nothing' : formatValue(feature.raw, definition.unit, methodology);
  const certainty = `confidence ${feature.confidence.toFixed(2)}${sources > 0 ? `, ${sources} source${sources === 1 ? '' : 's'}` : ''}`;
  const worth = points === null ? 'no points' : `${points.toFixed(1)} of 100 points`;
  return plain(`${definition.name}: ${value} (${feature.method}) gives ${worth}; ${certainty}.`, 500);
}

/** Explains a factor's score: the features with the most weight, and missing ones. */
export function factorRationale(factor: Omit<Factor, 'rationale'>, methodology: Methodology): string {
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
  if (best && pull(best) > 0) parts.push(`Best: ${best.name.toLowerCase()} ${shown(best, methodology)}.`);
  if (worst && pull(worst) < 0) parts.push(`Worst: ${worst.name.toLowerCase()} ${shown(worst, methodology)}.`);
  const named = (rows: readonly Feature[]) => rows.map((feature) => feature.name.toLowerCase()).join(', ');
  const silent = applicable.filter((feature) => feature.silent);
  const missing = applicable.filter((feature) => feature.score === null && !feature.silent);
  if (silent.length > 0) parts.push(`The project shows none: ${named(silent)}.`);
  if (missing.length > 0) parts.push(`Not known: ${named(missing)}.`);
  return plain(parts.join(' '), 600);
}

/** Three to five sentences for a person. */
export function summaryOf(name: string, rating: Omit<Rating, 'summary'>, methodology: Methodology): string {
  const label = isHardened({ methodology }) ? labelOf(plain(name, 80)) : plain(name, 80);
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

/** Ends of sentences, quotation marks and words of ratings: a name with one of them reads like a part of the summary. */
const LIKE_A_SENTENCE = /[.:;!?](?:\s|$)|["“”„«»]|\b(?:rated|rating|score|trust)\b/iu;

/** A name as the subject of a sentence. Anybody names a token as he likes, also like a rating: such a name is quoted. */
function labelOf(name: string): string {
  return LIKE_A_SENTENCE.test(name) ? `“${name.replaceAll(/["“”„«»]/gu, "'")}”` : name;
}

function shown(feature: Feature, methodology: Methodology): string {
  return `${formatValue(feature.raw ?? '', feature.unit, methodology)} (${(feature.score ?? 0).toFixed(0)} points)`;
}

/** What the value is compared with. */
const COMPARED: Readonly<Record<Rating['vfr']['method'], (peers: number) => string>> = {
  peg: () => 'its redemption value',
  multiples: (peers) => `${peers} peers`,
  multiples_and_regression: (peers) => `${peers} peers`,
  rounds: (peers) => `${peers} funding rounds of the same stage`,
  none: () => 'nothing',
};

function formatValue(raw: number | string, unit: string, methodology: Methodology): string {
  if (typeof raw === 'string') return raw === '' ? 'nothing' : plain(raw, 60);
  if (unit === 'usd') return `${Math.abs(raw) >= 1000 ? whole(raw) : short(raw, methodology)} USD`;
  if (unit.startsWith('fraction')) return `${short(raw * 100, methodology)} %`;
  if (unit === 'days') return `${whole(raw)} days`;
  return `${Math.abs(raw) >= 1000 ? whole(raw) : short(raw, methodology)}`;
}

const WITHOUT_EXPONENT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4, useGrouping: false });

/** Four significant digits; without an exponent since methodology 1.7.0. */
function short(value: number, methodology: Methodology): string {
  const text = String(Number(value.toPrecision(4)));
  return text.includes('e') && isHardened({ methodology }) ? WITHOUT_EXPONENT.format(value) : text;
}

/** States the limits of this rating that a reader must know. */
export function limitationsOf(context: Context, trust: TrustScore, flags: readonly Flag[]): readonly string[] {
  const single = Object.values(context.input.consensus).filter(
    (row) =>
      row.scope === 'asset' &&
      row.status === 'single_source' &&
      [
        'price_usd',
        'volume_24h_usd',
        'liquidity_dex_usd',
        'total_supply',
        'holder_count',
        'fees_30d_usd',
        'tvl_usd',
      ].includes(row.quantity),
  );
  const silent = context.input.sources.filter((row) => row.asked > 0 && row.answered === 0);
  const notAsked = context.input.sources
    .filter((row) => row.failures.some((failure) => failure.outcome === 'budget_spent'))
    .map((row) => row.name);
  const failedSources = silent
    .filter((row) => row.outcome !== 'budget_spent')
    .map((row) => `${row.name} (${row.outcome})`);
  return [
    'Asset risk rating, unsolicited; not a credit rating and not investment advice.',
    ...(single.length > 0
      ? [`Known from one independent source only: ${single.map((row) => row.quantity).join(', ')}.`]
      : []),
    ...(failedSources.length > 0 ? [`These sources did not answer: ${failedSources.join(', ')}.`] : []),
    ...(notAsked.length > 0
      ? [`Not all was asked of these sources, because request budgets were spent: ${notAsked.join(', ')}.`]
      : []),
    ...(trust.gaps.length > 0 ? [`${trust.gaps.length} features are not known or not found; see gaps.`] : []),
    ...(context.category === 'lst_wrapped'
      ? ['The band should not exceed those of the underlying asset and the custodian, which are not rated here.']
      : []),
    ...(consensusOf(context, 'public_notice', 'registry:coingecko')
      ? ['A registry shows a notice about this asset.']
      : []),
    ...(flags.some((flag) => flag.code === 'HOLDERS_UNLABELLED')
      ? ['Large holders are unlabelled: concentration may be exchanges or contracts.']
      : []),
    ...(context.category === 'defi_protocol'
      ? ['The cross-section of fees and value locked in DeFi is thinly evidenced.']
      : []),
  ];
}

const HIDDEN = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Text for display: removes control, direction and invisible characters and limits the length. It may contain text from
 * outside.
 */
export function plain(text: string, longest: number): string {
  if (text.length <= longest && /^[\x20-\x7e]*$/.test(text)) return text;
  const clean = text.replaceAll(HIDDEN, '');
  if (clean.length <= longest) return clean;
  const cut = clean.slice(0, longest - 1);
  // Never cuts a surrogate pair in half.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
