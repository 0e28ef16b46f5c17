import {
  age,
  category,
  classOf,
  dollars,
  ends,
  many,
  minute,
  percent,
  points,
  scoreInterval,
  signed,
  words,
} from '../format.ts';
import { Band, Severity, Trust } from '../parts/marks.tsx';
import type { Flag, Rating } from '../types.ts';
import { WatchButton } from './watch-button.tsx';

const ACTIONS: Readonly<Record<Rating['rating_action'], string>> = {
  new: 'First rating',
  affirm: 'Affirmed',
  upgrade: 'Upgraded',
  downgrade: 'Downgraded',
  withdraw: 'Withdrawn',
};
/** What is to be understood in ten seconds: the rating, trust beside it, and what must not be overlooked. */
export function Verdict({ rating }: { readonly rating: Rating }) {
  const { asset, score_interval: interval, vfr, standing, score, previous } = rating;
  const moved = score === null || previous?.score == null ? null : score - previous.score;
  return (
    <>
      <div className="title-row">
        <h1>
          {asset.name ?? asset.symbol ?? 'Unnamed asset'}{' '}
          {asset.symbol && <span className="quiet">{asset.symbol}</span>}
        </h1>
        <WatchButton assetId={asset.id} />
      </div>
      <p className="quiet wrap">
        {rating.stage === 'pre_tge' ? 'No token yet · ' : ''}
        {asset.category && (
          <>
            <span title={asset.category_reason ?? ''}>{classOf(asset)}</span> ·{' '}
          </>
        )}
        <code>{asset.id}</code>
        {/* An outside address is shown, not linked: whoever registered it may have meant it for us. */}
        {asset.website && ` · ${asset.website}`}
      </p>
      {rating.default && (
        <p className="alarm">
          <strong>In default</strong> since {minute(rating.default.since)}:{' '}
          {rating.default.tests.map(({ detail }) => detail).join('; ')}
        </p>
      )}
      {rating.watch && (
        <p className="note">
          <strong>Under watch ({rating.watch.direction}):</strong> {rating.watch.detail} Until{' '}
          {minute(rating.watch.deadline)}.
        </p>
      )}
      <dl className="verdict asset-verdict">
        <div className="tile main">
          <dt>Rating</dt>
          <dd>
            <Band band={rating.band} large />
            <span className="score">
              {points(rating.score)} <small>of 100</small>
            </span>
            <Interval ends={interval ?? []} score={rating.score} />
            {rating.indicative_band !== rating.band && (
              <span className="under">
                This moment’s score alone would be <strong>{rating.indicative_band}</strong>: the band follows only what
                lasts.
              </span>
            )}
          </dd>
        </div>
        <div className="tile trusted">
          <dt>Trust in the evidence</dt>
          <dd>
            <Trust score={rating.trust_score} />
            <span className="under">
              How good the evidence is, not how good the asset is. {many(rating.gaps.length, 'gap')},{' '}
              {many(rating.conflicts.length, 'conflict')}.
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Probability of failure</dt>
          <dd>
            <Failure rows={rating.failure_probability ?? []} />
          </dd>
        </div>
        <div className="tile">
          <dt>Price over fair value</dt>
          <dd>
            <strong>{vfr.value === null ? 'Not known' : `${vfr.value.toFixed(2)} ×`}</strong>
            <span className="under">
              {vfr.value === null
                ? 'No fair value could be computed; the words below say why.'
                : `${words(vfr.zone)}: price over what peers with like figures fetch${vfr.interval ? `, ${ends(vfr.interval, (value) => value.toFixed(2))} ×` : ''}.`}
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Last action</dt>
          <dd>
            <strong>
              {ACTIONS[rating.rating_action]}
              {moved === null || Math.abs(moved) < 0.05 ? '' : `, ${signed(moved)} points`}
            </strong>
            <span className="under">
              {rating.rating_action === 'new' ? '' : `${words(rating.action_reason)}, `}
              {age(rating.as_of)}. Outlook: {rating.outlook ?? 'none yet'}.
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Among its peers</dt>
          <dd>
            <strong>
              {standing?.category_percentile == null
                ? 'Not known'
                : `Better than ${percent(standing.category_percentile, 0)}`}
            </strong>
            <span className="under">
              {standing
                ? `${many(standing.category_peers, 'rated peer')} in ${category(standing.category)}${standing.category_percentile === null ? '; five are needed' : ''}`
                : 'No rated peers'}
              . Market cap {rating.market_cap_usd === null ? 'not known' : dollars(rating.market_cap_usd)}.
            </span>
          </dd>
        </div>
      </dl>
      <SevereFlags flags={rating.risk_flags} />
    </>
  );
}

const WITHIN = { '30d': 'Within 30 days', '365d': 'Within a year' } as const;

/** A year in large, 30 days below, and what they rest on in words. */
function Failure({ rows }: { readonly rows: NonNullable<Rating['failure_probability']> }) {
  const year = rows.find(({ horizon }) => horizon === '365d');
  const month = rows.find(({ horizon }) => horizon === '30d');
  if (year === undefined) return <strong>Not known</strong>;
  return (
    <>
      <strong>{chance(year)}</strong>
      <span className="under">
        {WITHIN[year.horizon]}
        {year.value !== null && year.interval && `, 80 % interval ${ends(year.interval, part)}`}.
        {month?.interval &&
          ` ${WITHIN[month.horizon]}: ${chance(month).toLowerCase()}${month.value === null ? '' : `, ${ends(month.interval, part)}`}.`}{' '}
        {year.detail}
      </span>
    </>
  );
}

function chance({ value, interval, basis }: NonNullable<Rating['failure_probability']>[number]): string {
  if (value !== null) return part(value);
  if (interval === null) return basis === 'defaulted' ? 'It has failed' : 'Not known';
  return basis === 'upper_bound' ? `At most ${part(interval[1])}` : `At least ${part(interval[0])}`;
}

/** A share of 1 in percent, two digits that count. */
function part(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** What an analyst must not overlook, in words, before anything else is opened. */
function SevereFlags({ flags }: { readonly flags: readonly Flag[] }) {
  const severe = flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
  if (severe.length === 0) return null;
  return (
    <ul className="severe" aria-label="Severe flags">
      {severe.map(({ code, severity, title }) => (
        <li key={code}>
          <Severity severity={severity} />: {title}
        </li>
      ))}
    </ul>
  );
}

function Interval({ ends: [low, high], score }: { readonly ends: readonly number[]; readonly score: number | null }) {
  if (low === undefined || high === undefined) return null;
  return (
    <span className="interval-bar">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="ground" x={0} y={3} width={100} height={2} />
        <rect className="reach" x={low} y={1} width={Math.max(0.6, high - low)} height={6} />
        {score !== null && <rect className="here" x={score - 0.4} y={0} width={0.8} height={8} />}
      </svg>
      <span className="under">80 % interval {scoreInterval([low, high])}</span>
    </span>
  );
}
