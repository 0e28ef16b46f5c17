import { day, many, points, sentence, sourceName, withSources } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Severity } from '../parts/marks.tsx';
import { useReceipt } from '../parts/receipt.tsx';
import type { Flag } from '../types.ts';
import type { Facts } from './facts.ts';
import { receiptOf } from './receipts.tsx';

const SEVERE = ['critical', 'high'];
const ORDER = ['critical', 'high', 'medium', 'low', 'info'];

export function isSevere({ severity }: Pick<Flag, 'severity'>): boolean {
  return SEVERE.includes(severity);
}

/** From this number of lines on the panels below are shorter, so that all fit one screen; from a further number on they are in two columns. */
const MANY = 3;
const TOO_MANY = 6;

export function hasManySevere({ rating }: Facts): boolean {
  return linesOf(rating) >= MANY;
}

export function hasTooManySevere({ rating }: Facts): boolean {
  return linesOf(rating) >= TOO_MANY;
}

function linesOf(rating: Facts['rating']): number {
  return testsInLines(rating).length + rating.risk_flags.filter(isSevere).length;
}

/** Default tests with lines of their own: a single one is in the heading. */
function testsInLines({ default: failed }: Facts['rating']) {
  return failed !== null && failed.tests.length > 1 ? failed.tests : [];
}

/** A rating that was shown to be wrong says so before everything else. */
export function Corrected({ facts }: { readonly facts: Facts }) {
  const { correction, band, score } = facts.rating;
  if (correction === undefined) return null;
  const words = (one: { readonly band: string; readonly score: number | null }) =>
    one.score === null ? one.band : `${one.band}, ${points(one.score)}`;
  return (
    <section className="flag-banner" aria-label="Corrected rating">
      <header>
        <h2>
          This rating is wrong: {words({ band, score })} should have been {words(correction)}
        </h2>
        <span className="q">corrected {day(correction.made_at)}; the next rating replaces it</span>
      </header>
      <p>{sentence(correction.reason)}</p>
    </section>
  );
}

/** Severe flags before everything else: the flag, its evidence, its effect, its first day, its sources. */
export function FlagBanner({ facts }: { readonly facts: Facts }) {
  const { rating, breakdown, full } = facts;
  const flags = rating.risk_flags.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const severe = flags.filter(isSevere);
  const isDefault = rating.default !== null;
  const tests = testsInLines(rating);
  const only = rating.default?.tests.length === 1 ? rating.default.tests[0] : undefined;
  if (severe.length === 0 && !isDefault) return null;
  return (
    <section className={hasTooManySevere(facts) ? 'flag-banner by-two' : 'flag-banner'} aria-label="Severe flags">
      <header>
        <h2>
          {isDefault
            ? only !== undefined
              ? `In default since ${day(only.since)}: ${only.detail}`
              : 'In default: it has failed'
            : `Do not read the score alone: ${severe.length === 1 ? 'a severe flag is' : `${severe.length} severe flags are`} raised`}
        </h2>
        <span className="q">
          {many(flags.length, 'flag')} in all, seen {day(rating.as_of)}
        </span>
      </header>
      <ul>
        {tests.map(({ code, detail, since }) => (
          <li key={code}>
            <Severity severity="critical" />
            <p>
              <b>Default:</b> {detail}
            </p>
            <p className="flag-facts">
              <span className="tag">band D</span> since {day(since)}
            </p>
          </li>
        ))}
        {severe.map((flag) => (
          <li key={flag.code}>
            <Severity severity={flag.severity} />
            <p>
              <b>{flag.title}</b> <span className="q">{sentence(withSources(flag.detail))}</span>
            </p>
            <p className="flag-facts">
              <span className="tag">{effectOf(flag.code, breakdown?.caps ?? [])}</span>{' '}
              <span className="nowrap">
                {flag.since === null ? `since ${day(rating.as_of)}` : `since ${day(flag.since)}`}
              </span>{' '}
              <Witnesses
                facts={facts}
                evidence={full?.risk_flags.find(({ code }) => code === flag.code)?.evidence ?? []}
              />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Effect of the flag on the score: its cap, or its part in a factor. */
function effectOf(
  code: string,
  caps: readonly { readonly flag: string | null; readonly cap: number; readonly binding: boolean }[],
): string {
  const cap = caps.find(({ flag }) => flag === code);
  return cap === undefined ? 'sets no cap' : `at most ${points(cap.cap)}`;
}

/** The sources of the flag's observations, with a link to the receipt. */
function Witnesses({ facts, evidence }: { readonly facts: Facts; readonly evidence: readonly string[] }) {
  const open = useReceipt();
  const keys = evidence.filter((key) => facts.quantities.has(key));
  const sources = new Set(
    keys.flatMap(
      (key) =>
        facts.quantities
          .get(key)
          ?.voices.filter(({ accepted }) => accepted)
          .map(({ source }) => source) ?? [],
    ),
  );
  const [first] = keys;
  const receipt = first === undefined ? null : receiptOf(facts, first);
  if (receipt === null) return null;
  const names = [...sources].map(sourceName);
  return (
    <Button className="receipted q" title={names.join(', ')} onClick={() => open(receipt)}>
      {names.slice(0, 2).join(', ')}
      {names.length > 2 && ` and ${names.length - 2} more`}
    </Button>
  );
}
