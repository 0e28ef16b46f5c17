import { Component, type ReactNode, useEffect, useState } from 'react';
import { AssetPage } from './asset/asset-page.tsx';
import { AlertsPage } from './pages/alerts.tsx';
import { AssetsPage } from './pages/assets.tsx';
import { ComparePage } from './pages/compare.tsx';
import { DisputesPage } from './pages/disputes.tsx';
import { ExportsPage } from './pages/exports.tsx';
import { JobPage } from './pages/job.tsx';
import { KeysPage } from './pages/keys.tsx';
import { MethodologyPage } from './pages/methodology.tsx';
import { RegistersPage } from './pages/registers.tsx';
import { ScorePage } from './pages/score.tsx';
import { StatusPage } from './pages/status.tsx';
import { TrackRecordPage } from './pages/track-record.tsx';
import { WatchlistPage } from './pages/watchlist.tsx';
import { WebhooksPage } from './pages/webhooks.tsx';
import { linkTo, type Route, useRoute } from './route.ts';
import { keepKey, readKey } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { ThemeSwitch } from './theme.tsx';
import { useRead } from './use-read.ts';

const PAGES: Readonly<
  Record<string, { readonly title: string; readonly of: (route: Route) => ReactNode; readonly open?: boolean }>
> = {
  assets: {
    title: 'Assets',
    of: ({ query }) => <AssetsPage key={query.get('q') ?? ''} search={query.get('q') ?? ''} />,
  },
  score: { title: 'Score a project', of: () => <ScorePage /> },
  compare: { title: 'Compare', of: ({ query }) => <ComparePage names={query.get('assets') ?? ''} /> },
  watchlist: { title: 'Watchlist', of: () => <WatchlistPage /> },
  alerts: { title: 'Alerts', of: () => <AlertsPage /> },
  webhooks: { title: 'Webhooks', of: () => <WebhooksPage /> },
  exports: { title: 'Exports', of: () => <ExportsPage /> },
  disputes: {
    title: 'Disputes',
    of: ({ query }) => <DisputesPage asset={query.get('asset') ?? ''} job={query.get('job') ?? ''} />,
    open: true,
  },
  methodology: { title: 'Methodology', of: () => <MethodologyPage />, open: true },
  registers: {
    title: 'Registers',
    of: ({ subject, query }) => <RegistersPage name={subject} asset={query.get('asset') ?? ''} />,
    open: true,
  },
  'track-record': { title: 'Track record', of: () => <TrackRecordPage />, open: true },
  status: { title: 'Status', of: () => <StatusPage />, open: true },
  keys: { title: 'Keys and usage', of: () => <KeysPage /> },
};
const UNLISTED: typeof PAGES = {
  asset: {
    title: 'Asset',
    of: ({ subject, query }) => <AssetPage key={subject} name={subject} tab={query.get('tab') ?? 'rating'} />,
  },
  job: { title: 'Scoring job', of: ({ subject }) => <JobPage key={subject} id={subject} /> },
};

/** Banner, navigation and the page that the address names. */
export function Shell() {
  const route = useRoute();
  const health = useRead<{ readonly data_mode: string; readonly version: string }>('/healthz');
  const [signedIn, setSignedIn] = useState(readKey() !== null);
  const page = PAGES[route.page] ?? UNLISTED[route.page];
  const heading = `${route.page}/${route.subject}`;
  useEffect(() => {
    document.title = `${route.subject && route.page === 'asset' ? 'Asset' : (page?.title ?? 'Not found')} · Assay`;
  }, [route, page]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each new page the reader begins at its top
  useEffect(() => {
    scrollTo(0, 0);
    // On a phone the navigation scrolls sideways.
    document.querySelector('header nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [heading]);
  const leave = () => {
    keepKey(null);
    setSignedIn(false);
  };
  return (
    <>
      <button type="button" className="skip" onClick={toContent}>
        Skip to the content
      </button>
      {health.state === 'ready' && health.value.data_mode === 'sandbox' && (
        <aside className="sandbox" aria-label="Data mode">
          <strong>SANDBOX</strong> Every asset, source and number here is fictional.
        </aside>
      )}
      <header>
        <a className="brand" href={linkTo('assets')}>
          <img src="/icon.svg" alt="" width="26" height="26" /> Assay
        </a>
        <nav aria-label="Pages">
          {Object.entries(PAGES).map(([name, { title }]) => (
            <a key={name} href={linkTo(name)} aria-current={route.page === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
          <a href="/docs">API</a>
        </nav>
        <div className="header-end">
          <ThemeSwitch />
          {!signedIn && page?.open && (
            <a className="button small" href={linkTo('assets')}>
              Sign in
            </a>
          )}
          {signedIn && (
            <button type="button" className="small" onClick={leave}>
              Sign out
            </button>
          )}
        </div>
      </header>
      {!signedIn && !page?.open ? (
        <SignIn onDone={() => setSignedIn(true)} />
      ) : (
        <main id="content" tabIndex={-1}>
          <Guard key={heading}>{page ? page.of(route) : <Missing />}</Guard>
        </main>
      )}
      <footer>
        <span>Unsolicited opinions about risk. Not credit ratings, not investment advice.</span>
        <span className="quiet">{health.state === 'ready' ? `Assay ${health.value.version}` : ''}</span>
      </footer>
    </>
  );
}

/** No link: the part behind the # is the page's name here. */
function toContent(): void {
  document.getElementById('content')?.focus();
}

function Missing() {
  return (
    <div className="empty">
      <h1>There is no such page</h1>
      <a href={linkTo('assets')}>To the assets</a>
    </div>
  );
}

/** A page that fails leaves the others standing. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="refused" role="alert">
        <strong>This page failed.</strong>
        <p>
          The reply of the service was not as expected. Load the page again; if it stays, report it with the address.
        </p>
      </div>
    );
  }
}
