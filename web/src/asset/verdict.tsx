import { Link } from '@tanstack/react-router';
import { ends, inNumber, many, minute, percent, points, scoreInterval, withSources, words } from '../format.ts';
import { Band } from '../parts/marks.tsx';
import { Missing } from '../parts/missing.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Rating } from '../types.ts';
import { BandScale } from './band-scale.tsx';
import type { Facts } from './facts.ts';
import { isSevere } from './flag-banner.tsx';
import { noVfrWords } from './words.ts';

/** The summary: the band, its distance from the next one, and trust shown separately. */
export function Verdict({ facts }: { readonly facts: Facts }) {
  const { rating, breakdown } = facts;
  const lowest = Math.min(100, ...(breakdown?.caps ?? []).map(({ cap }) => cap));
  return (
    <Panel title="Rating" className="verdict-panel">
      <div className="verdict-top">
        <Band band={rating.band} large />
        <div>
          <p className="opinion">{withSources(opinionOf(facts))}</p>
          <p className="q">
            {rating.outlook === null ? (
              'No outlook yet'
            ) : (
              <>
                Outlook <b>{rating.outlook}</b>
              </>
            )}{' '}
            · {rating.watch === null ? 'no watch' : <b>watch: {rating.watch.detail}</b>} · {minute(rating.as_of)} ·{' '}
            <Link to="/methodology">method {rating.methodology_version}</Link>
            {rating.indicative_band !== rating.band && (
              <>
                {' '}
                ·{' '}
                <span title="The band follows only what lasts.">
                  the score alone would be <b>{rating.indicative_band}</b>
                </span>
              </>
            )}
          </p>
        </div>
      </div>
      <BandScale
        score={rating.score}
        interval={rating.score_interval}
        before={rating.previous?.score ?? null}
        ceiling={lowest < 100 ? lowest : null}
      />
      <dl className="verdict-figures">
        <div>
          <dt>Score of 100, 80 % interval</dt>
          <dd>
            <b>{rating.score === null ? <Missing why="not_rated" /> : points(rating.score)}</b>{' '}
            {rating.score !== null && scoreInterval(rating.score_interval)}
            <p>{failureWords(rating)}</p>
          </dd>
        </div>
        <div className="set-apart">
          <dt>Trust in the evidence</dt>
          <dd>
            <b>{points(rating.trust_score)}</b> {trustWord(rating.trust_score)}
            <p>
              {isBad(rating) && rating.trust_score >= 60 ? 'Good evidence of a bad state; ' : ''}
              {rating.gaps.length === 0 ? 'nothing missing' : `${rating.gaps.length} not known`}
              {rating.conflicts.length === 0 ? '' : `, ${many(rating.conflicts.length, 'disagreement')}`}.
            </p>
          </dd>
        </div>
        <div>
          <dt>vfr, price over fair value</dt>
          <dd>
            <VfrWords rating={rating} facts={facts} />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function isBad({ band }: Rating): boolean {
  return ['CCC', 'CC', 'C', 'D'].includes(band);
}

/** The rating in one or two sentences: its limit, its strengths, its weaknesses. */
function opinionOf({ rating, breakdown }: Facts): string {
  if (breakdown === null) return 'Reading the breakdown of the rating.';
  if (rating.score === null) return `Not rated: ${rating.action_reason}.`;
  if (rating.default !== null) {
    const [test] = rating.default.tests;
    return test === undefined
      ? 'In default; no test is met now, and it waits to be cured.'
      : `In default: ${inNumber(test.detail)}.`;
  }
  // A score below the cap is limited by something else, such as a cap that fades.
  const cap = breakdown.caps.find(({ binding, cap: most }) => binding && most === rating.score);
  const ranked = breakdown.factors.toSorted((a, b) => b.contribution - a.contribution);
  const [first, second] = ranked;
  const last = ranked.at(-1);
  const carried =
    first && second && first.contribution > 0
      ? `${first.name} and ${second.name.toLowerCase()} contribute most to the rating`
      : 'No factor raises the rating';
  const weak = breakdown.factors.toSorted((a, b) => a.score - b.score)[0] ?? last;
  const weighs = weak === undefined ? '' : `; ${weak.name.toLowerCase()} weighs on it most`;
  if (cap === undefined) return `${carried}${weighs}.`;
  const isAbove = rating.risk_flags.some((flag) => flag.code === cap.flag && isSevere(flag));
  return `Held at ${points(cap.cap)}${isAbove ? ' by a flag above' : `: ${inNumber(cap.detail)}`}. ${carried}${weighs}.`;
}

function trustWord(score: number): string {
  if (score >= 80) return 'high';
  if (score >= 60) return 'adequate';
  return score >= 40 ? 'limited' : 'weak';
}

/** A fraction in percent, with two significant digits; the sign stays on the line of its number. */
const part = (share: number) => `${Number((share * 100).toPrecision(2))}\u00a0%`;

/** The probability of failure within a year, in a sentence. */
function failureWords({ failure_probability: rows }: Rating): string {
  const year = rows?.find(({ horizon }) => horizon === '365d');
  const unknown = 'Chance of failure not known: no outcomes to go by.';
  if (year === undefined) return unknown;
  const between = ends(year.interval, part);
  if (year.value !== null) return `Fails within a year: ${part(year.value)}${between ? ` (${between})` : ''}.`;
  const [low, high] = year.interval ?? [];
  if (year.basis === 'defaulted') return 'It has failed.';
  if (low === undefined || high === undefined) return unknown;
  return year.basis === 'upper_bound'
    ? `Fails within a year: at most ${part(high)}.`
    : `Fails within a year: at least ${part(low)}.`;
}

function VfrWords({ rating, facts }: { readonly rating: Rating; readonly facts: Facts }) {
  const { vfr } = rating;
  const reason = facts.full?.vfr.reason ?? null;
  if (vfr.value === null)
    return (
      <>
        <b>none</b>
        <p>{noVfrWords(reason)}</p>
      </>
    );
  const away = (vfr.value - 1) * 100;
  const against = `${percent(Math.abs(away), Math.abs(away) < 10 ? 1 : 0)} ${away >= 0 ? 'above' : 'below'}`;
  return (
    <>
      <b>{vfr.value.toFixed(2)}</b> {words(vfr.zone).toLowerCase()}
      <p>
        {Math.abs(away) < 0.05 ? 'At fair value' : against}
        {vfr.interval ? ` (80 %: ${ends(vfr.interval, (value) => value.toFixed(2))})` : ''}. No forecast.
      </p>
    </>
  );
}
