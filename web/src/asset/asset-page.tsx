import { age, category, count, dollars, ends, minute, percent, points, signed, UNKNOWN, words } from '../format.ts';
import { Band, Trust } from '../parts/marks.tsx';
import { Read } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { Breakdown, Rating } from '../types.ts';
import { useRead } from '../use-read.ts';
import { History } from './history.tsx';
import { Holders } from './holders.tsx';
import { Market } from './market.tsx';
import { Pools } from './pools.tsx';
import { RatingParts } from './rating-parts.tsx';
import { WatchButton } from './watch-button.tsx';

const TABS = [
  ['rating', 'Rating'],
  ['history', 'History'],
  ['holders', 'Holders'],
  ['pools', 'Pools'],
  ['market', 'Market'],
] as const;

/** One asset: the verdict first, then what it is made of. */
export function AssetPage({ name, tab }: { readonly name: string; readonly tab: string }) {
  const rating = useRead<Rating>(`/v1/rms/${encodeURIComponent(name)}`);
  return (
    <Read reading={rating} what="the rating">
      {(value) => (
        <>
          <Verdict rating={value} />
          <nav className="tabs" aria-label="Parts of this asset">
            {TABS.map(([code, title]) => (
              <a
                key={code}
                href={linkTo('asset', name, { tab: code })}
                aria-current={tab === code ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          <Part tab={tab} rating={value} />
        </>
      )}
    </Read>
  );
}

function Part({ tab, rating }: { readonly tab: string; readonly rating: Rating }) {
  const { id, chain, address } = rating.asset;
  if (tab === 'history') return <History assetId={id} />;
  if (tab === 'rating') return <RatingTab rating={rating} />;
  if (chain === null || address === null)
    return <div className="empty">This project has no token on a chain yet, so there is nothing to read there.</div>;
  const token = { chain, address };
  if (tab === 'holders') return <Holders {...token} />;
  if (tab === 'pools') return <Pools {...token} />;
  return <Market {...token} />;
}

function RatingTab({ rating }: { readonly rating: Rating }) {
  const breakdown = useRead<Breakdown>(`/v1/rms/${encodeURIComponent(rating.asset.id)}/breakdown`);
  return (
    <Read reading={breakdown} what="what the rating is made of">
      {(value) => <RatingParts rating={rating} breakdown={value} />}
    </Read>
  );
}

function Verdict({ rating }: { readonly rating: Rating }) {
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
        {asset.category ? `${category(asset.category)} · ` : ''}
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
      <dl className="verdict">
        <div className="tile main">
          <dt>Rating</dt>
          <dd>
            <Band band={rating.band} large />
            <span className="score">
              {points(rating.score)} <small>of 100</small>
            </span>
            <Interval ends={interval ?? []} score={rating.score} />
          </dd>
        </div>
        <div className="tile trusted">
          <dt>Trust in the evidence</dt>
          <dd>
            <Trust score={rating.trust_score} />
            <span className="under">
              How good the evidence is, not how good the asset is. {count(rating.gaps.length)} gaps,{' '}
              {count(rating.conflicts.length)} conflicts.
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Value against fair value</dt>
          <dd>
            <strong>{vfr.value === null ? 'Not known' : `${vfr.value.toFixed(2)} ×`}</strong>
            <span className="under">
              {words(vfr.zone)}
              {vfr.interval ? `, ${ends(vfr.interval, (value) => value.toFixed(2))} ×` : ''}
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Last action</dt>
          <dd>
            <strong>
              {words(rating.rating_action)}
              {moved === null || Math.abs(moved) < 0.05 ? '' : ` ${signed(moved)}`}
            </strong>
            <span className="under">
              {rating.action_reason}, {age(rating.as_of)}. Outlook: {rating.outlook ?? 'none yet'}.
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Standing among peers</dt>
          <dd>
            <strong>
              {standing?.category_percentile == null
                ? UNKNOWN
                : `better than ${percent(standing.category_percentile, 0)}`}
            </strong>
            <span className="under">
              {standing ? `${count(standing.category_peers)} peers in ${category(standing.category)}` : 'No peers'}.
              Market cap {dollars(rating.market_cap_usd)}.
            </span>
          </dd>
        </div>
      </dl>
    </>
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
      <span className="under">
        80 % interval {points(low)} to {points(high)}
      </span>
    </span>
  );
}
