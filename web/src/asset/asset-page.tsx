import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useDownload } from '../data/download.ts';
import { AssayProblem, read } from '../data/service.ts';
import { chainName, classOf, count, day, dollars, percent } from '../format.ts';
import { Address } from '../parts/address.tsx';
import { Button } from '../parts/button.tsx';
import { LinkButton } from '../parts/link-button.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemBox, Waiting } from '../parts/problem.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useToast } from '../parts/toast.tsx';
import type { Rating } from '../types.ts';
import { Changed } from './changed.tsx';
import { DepthAndSlippage } from './depth-and-slippage.tsx';
import { FactorProfile } from './factor-profile.tsx';
import { type Facts, numberOf, refusalOf, useFacts } from './facts.ts';
import { Corrected, FlagBanner, hasManySevere, isSevere } from './flag-banner.tsx';
import { HoldersBar } from './holders-bar.tsx';
import { NotKnown } from './not-known.tsx';
import { Receipted } from './receipts.tsx';
import { ScoreAndPrice } from './score-and-price.tsx';
import { Thresholds } from './thresholds.tsx';
import { ToNextBand } from './to-next-band.tsx';
import { Unlocks } from './unlocks.tsx';
import { Venues } from './venues.tsx';
import { Verdict } from './verdict.tsx';
import { WatchButton } from './watch-button.tsx';
import '../style/asset.css';

const SourcesMatrix = lazy(() => import('./sources-matrix.tsx').then((m) => ({ default: m.SourcesMatrix })));
const PeersScatter = lazy(() => import('./peers-scatter.tsx').then((m) => ({ default: m.PeersScatter })));
const Drains = lazy(() => import('./forensics/drains.tsx').then((m) => ({ default: m.Drains })));
const Clusters = lazy(() => import('./forensics/clusters.tsx').then((m) => ({ default: m.Clusters })));

type Tab = NonNullable<ReturnType<typeof route.useSearch>['tab']>;
const route = getRouteApi('/asset/$name');

/** One asset on one screen: severe flags, verdict, what would change it, evidence. */
export function Page() {
  const { name } = route.useParams();
  const rating = useQuery(read('GET /v1/rms/{asset}', { path: { asset: name } }));
  if (rating.data !== undefined) return <Rated rating={rating.data as Rating} />;
  if (rating.error !== null) return <NotRated name={name} error={rating.error} again={rating.refetch} />;
  return <Waiting what="Reading the rating" />;
}

function Rated({ rating }: { readonly rating: Rating }) {
  const facts = useFacts(rating);
  const { tab = 'rating' } = route.useSearch();
  const navigate = useNavigate();
  const isToken = rating.asset.chain !== null && rating.asset.address !== null;
  const tabs: readonly { readonly value: Tab; readonly title: string; readonly of: () => React.ReactNode }[] = [
    { value: 'rating', title: 'Rating', of: () => <OneScreen facts={facts} /> },
    { value: 'sources', title: 'Sources', of: () => <SourcesMatrix facts={facts} /> },
    { value: 'peers', title: 'Peers', of: () => <PeersScatter facts={facts} /> },
    ...(isToken
      ? ([
          { value: 'forensics', title: 'Money flow', of: () => <Drains assetId={rating.asset.id} /> },
          { value: 'clusters', title: 'Wallet clusters', of: () => <Clusters assetId={rating.asset.id} /> },
        ] as const)
      : []),
  ];
  const value = tabs.find((one) => one.value === tab)?.value ?? 'rating';
  return (
    <div className="asset">
      <Head facts={facts} />
      <Corrected facts={facts} />
      <FlagBanner facts={facts} />
      <Tabs
        label="Parts of this asset"
        value={value}
        onChange={(next) =>
          navigate({
            to: '/asset/$name',
            params: { name: rating.asset.id },
            search: next === 'rating' ? {} : { tab: next },
          })
        }
        tabs={tabs.map((one) => ({
          ...one,
          of: () => <Suspense fallback={<Waiting what={`Opening ${one.title.toLowerCase()}`} />}>{one.of()}</Suspense>,
        }))}
      />
    </div>
  );
}

function Head({ facts }: { readonly facts: Facts }) {
  const { rating } = facts;
  const { asset } = rating;
  const price = numberOf(facts, 'price_usd');
  const changes = [
    ['24 h', numberOf(facts, 'price_change_24h_pct')],
    ['7 d', numberOf(facts, 'price_change_7d_pct')],
  ] as const;
  const severe = rating.risk_flags.filter(isSevere).length;
  return (
    <div className="asset-head">
      <h1>
        {asset.name ?? asset.symbol ?? 'Unnamed asset'} {asset.symbol && <span>{asset.symbol}</span>}
      </h1>
      {price !== null && (
        <span className="price">
          <Receipted facts={facts} of="price_usd">
            {dollars(price)}
          </Receipted>
        </span>
      )}
      {changes.map(
        ([span, value]) =>
          value !== null && (
            <span key={span} className="fact">
              <span className={severe > 0 ? '' : value < 0 ? 'neg' : 'pos'}>
                {value >= 0.05 ? '+' : ''}
                {percent(value, 1)}
              </span>{' '}
              {span}
            </span>
          ),
      )}
      <span className="fact">
        Market cap{' '}
        <Receipted facts={facts} of="market_cap_usd">
          <b>{rating.market_cap_usd === null ? 'not known' : dollars(rating.market_cap_usd)}</b>
        </Receipted>
      </span>
      <span className="fact" title={asset.category_reason ?? undefined}>
        {classOf(asset)}
      </span>
      {asset.chain !== null && (
        <span className="fact">
          {chainName(asset.chain)}{' '}
          {asset.address !== null && asset.address !== 'native' && <Address of={asset.address} />}
        </span>
      )}
      {severe === 0 && rating.default === null && (
        <span className="fact">
          <b>No severe flag</b>
          {rating.risk_flags.length > 0 ? `, ${count(rating.risk_flags.length)} lesser` : ' and no other'}
        </span>
      )}
      <span className="actions">
        <WatchButton assetId={asset.id} />
        {asset.chain !== null && asset.address !== null && (
          <Thresholds chain={asset.chain} asset={asset.id} name={asset.symbol ?? asset.name ?? 'this asset'} />
        )}
        <LinkButton to="/compare" search={{ assets: [asset.id] }}>
          Compare
        </LinkButton>
        <ReportButton rating={rating} />
        <LinkButton to="/disputes" search={{ asset: asset.id, job: rating.job_id }}>
          Dispute
        </LinkButton>
      </span>
    </div>
  );
}

/** The committee report as a file: two pages to print, followed by the receipts. */
function ReportButton({ rating }: { readonly rating: Rating }) {
  const report = useDownload('GET /v1/rms/{asset}/report');
  const tell = useToast();
  return (
    <Button
      title="Saves the report of this rating as HTML: two pages to print, then the receipts"
      disabled={report.isPending}
      onClick={() =>
        report.mutate(
          {
            input: { path: { asset: rating.asset.id }, headers: { accept: 'text/html' } },
            fileName: `${rating.asset.symbol ?? 'report'}-${day(rating.as_of)}.html`,
          },
          { onError: (error) => tell(`No report: ${refusalOf(error)}`) },
        )
      }
    >
      Report
    </Button>
  );
}

function OneScreen({ facts }: { readonly facts: Facts }) {
  return (
    <div className={hasManySevere(facts) ? 'one-screen compact' : 'one-screen'}>
      <div className="row first">
        <Verdict facts={facts} />
        <ToNextBand facts={facts} />
        <Changed facts={facts} />
      </div>
      <div className="row second">
        <ScoreAndPrice facts={facts} />
        <FactorProfile facts={facts} />
      </div>
      <div className="row third">
        <HoldersBar facts={facts} />
        <DepthAndSlippage facts={facts} />
        <Venues facts={facts} />
        <Unlocks facts={facts} />
        <NotKnown facts={facts} />
      </div>
    </div>
  );
}

function NotRated({
  name,
  error,
  again,
}: {
  readonly name: string;
  readonly error: Error;
  readonly again: () => void;
}) {
  if (!(error instanceof AssayProblem) || error.status !== 404 || error.problem.candidates !== undefined)
    return (
      <Panel title={name.slice(0, 100)} level={1}>
        <ProblemBox error={error} again={again} />
      </Panel>
    );
  return (
    <Panel title={name.slice(0, 100)} level={1}>
      <p>
        <b>{error.problem.title}</b>. No rating is kept under this name. Have it rated, which takes some seconds, or
        look for another spelling, symbol or address among the rated assets.
      </p>
      <p className="actions">
        <LinkButton to="/score" search={{ asset: name }} primary>
          Have it rated now
        </LinkButton>
        <LinkButton to="/assets">See what is rated</LinkButton>
      </p>
    </Panel>
  );
}
