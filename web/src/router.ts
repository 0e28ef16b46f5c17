import { createHashHistory, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { old } from './old.tsx';
import { page, root } from './page.ts';
import { list, oneOf, parseSearch, text, writeSearch } from './search.ts';

const ASSET_TABS = ['rating', 'sources', 'peers', 'forensics', 'clusters'] as const;
type AssetTab = (typeof ASSET_TABS)[number];

/** The pages in the order of the navigation. A page is one line here; its module is loaded when it is opened. */
export const PAGES = [
  page(
    '/assets',
    'Assets',
    old(() => import('./pages/assets.tsx').then((m) => m.AssetsPage)),
    { place: 'bar', words: 'list screen filter', search: (raw) => ({ q: text(raw, 'q') }) },
  ),
  page(
    '/compare',
    'Compare',
    old(() => import('./pages/compare.tsx').then((m) => m.ComparePage)),
    { place: 'bar', words: 'side by side', search: (raw) => ({ assets: list(raw, 'assets') }) },
  ),
  page(
    '/watchlist',
    'Watchlist',
    old(() => import('./pages/watchlist.tsx').then((m) => m.WatchlistPage)),
    { place: 'bar', words: 'thresholds import' },
  ),
  page(
    '/alerts',
    'Alerts',
    old(() => import('./pages/alerts.tsx').then((m) => m.AlertsPage)),
    { place: 'bar', words: 'acknowledge' },
  ),
  page(
    '/score',
    'Score a project',
    old(() => import('./pages/score.tsx').then((m) => m.ScorePage)),
    { place: 'bar', words: 'rate new job' },
  ),
  page(
    '/webhooks',
    'Webhooks',
    old(() => import('./pages/webhooks.tsx').then((m) => m.WebhooksPage)),
    { words: 'deliveries' },
  ),
  page(
    '/exports',
    'Exports',
    old(() => import('./pages/exports.tsx').then((m) => m.ExportsPage)),
    { words: 'files parquet csv' },
  ),
  page(
    '/disputes',
    'Disputes',
    old(() => import('./pages/disputes.tsx').then((m) => m.DisputesPage)),
    {
      open: true,
      words: 'corrections restatements',
      search: (raw) => ({ asset: text(raw, 'asset'), job: text(raw, 'job') }),
    },
  ),
  page(
    '/methodology',
    'Methodology',
    old(() => import('./pages/methodology.tsx').then((m) => m.MethodologyPage)),
    { open: true, words: 'weights anchors bands versions' },
  ),
  page(
    '/registers',
    'Registers',
    old(() => import('./pages/registers.tsx').then((m) => m.RegistersPage)),
    { open: true, search: (raw) => ({ asset: text(raw, 'asset') }) },
  ),
  page(
    '/registers/$name',
    'Register',
    old(() => import('./pages/registers.tsx').then((m) => m.RegistersPage)),
    { place: 'none', open: true, search: (raw) => ({ asset: text(raw, 'asset') }) },
  ),
  page(
    '/track-record',
    'Track record',
    old(() => import('./pages/track-record.tsx').then((m) => m.TrackRecordPage)),
    { open: true, words: 'defaults reliability calibration' },
  ),
  page(
    '/status',
    'Status',
    old(() => import('./pages/status.tsx').then((m) => m.StatusPage)),
    { open: true, words: 'sources health freshness' },
  ),
  page(
    '/keys',
    'Keys and usage',
    old(() => import('./pages/keys.tsx').then((m) => m.KeysPage)),
    { words: 'plan statement quota' },
  ),
  page('/asset/$name', 'Asset', () => import('./asset/asset-page.tsx'), {
    place: 'none',
    search: (raw): { tab?: AssetTab } => {
      const tab = oneOf(raw, 'tab', ASSET_TABS);
      return tab === undefined ? {} : { tab };
    },
  }),
  page('/job/$id', 'Scoring job', () => import('./pages/job.tsx'), { place: 'none' }),
] as const;

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/assets', replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([...PAGES, start]),
  // Behind the #, so that no page ever takes an address of the API.
  history: createHashHistory(),
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
