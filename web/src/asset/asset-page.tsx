import type { Problem } from '../api.ts';
import { Candidates } from '../parts/candidates.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { Breakdown, Rating } from '../types.ts';
import { useRead } from '../use-read.ts';
import { Clusters } from './forensics/clusters.tsx';
import { Drains } from './forensics/drains.tsx';
import { History } from './history.tsx';
import { Holders } from './holders.tsx';
import { Market } from './market.tsx';
import { Pools } from './pools.tsx';
import { RatingParts } from './rating-parts.tsx';
import { Verdict } from './verdict.tsx';

/** What is read from a chain, which a project without a token has none of. */
const OF_TOKENS: readonly string[] = ['holders', 'pools', 'market', 'forensics', 'clusters'];
const TABS = [
  ['rating', 'Rating'],
  ['history', 'History'],
  ['holders', 'Holders'],
  ['pools', 'Pools'],
  ['market', 'Market'],
  ['forensics', 'Forensics'],
  ['clusters', 'Wallet clusters'],
] as const;

/** One asset: the verdict first, then what it is made of. */
export function AssetPage({ name, tab }: { readonly name: string; readonly tab: string }) {
  const rating = useRead<Rating>(`/v1/rms/${encodeURIComponent(name)}`);
  if (rating.state === 'refused') return <NotRated name={name} problem={rating.problem} again={rating.again} />;
  return (
    <Read reading={rating} what="the rating">
      {(value) => (
        <>
          <Verdict rating={value} />
          <nav className="tabs" aria-label="Parts of this asset">
            {TABS.filter(([code]) => value.asset.chain !== null || !OF_TOKENS.includes(code)).map(([code, title]) => (
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

function NotRated({
  name,
  problem,
  again,
}: {
  readonly name: string;
  readonly problem: Problem;
  readonly again: () => void;
}) {
  return (
    <>
      <h1 className="wrap">{name.slice(0, 100)}</h1>
      {problem.candidates && <Candidates problem={problem} />}
      {problem.status === 404 && (
        <div className="empty">
          <strong>{problem.title}</strong>
          <p>
            <a href={linkTo('score')}>Score the project</a> to have it rated now, or{' '}
            <a href={linkTo('assets')}>see what is rated</a>.
          </p>
        </div>
      )}
      {!problem.candidates && problem.status !== 404 && <Refused problem={problem} again={again} />}
    </>
  );
}

function Part({ tab, rating }: { readonly tab: string; readonly rating: Rating }) {
  const { id, chain, address } = rating.asset;
  if (tab === 'history') return <History assetId={id} />;
  if (tab === 'rating') return <RatingTab rating={rating} />;
  if (chain === null || address === null)
    return <div className="empty">This project has no token on a chain yet, so there is nothing to read there.</div>;
  if (tab === 'forensics') return <Drains assetId={id} />;
  if (tab === 'clusters') return <Clusters assetId={id} />;
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
