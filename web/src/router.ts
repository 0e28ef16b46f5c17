import { createHashHistory, createRouter } from '@tanstack/react-router';
import { old } from './old.tsx';
import { page, root } from './page.ts';
import { list, number, oneOf, parseSearch, text, writeSearch } from './search.ts';

const ASSET_TABS = ['rating', 'sources', 'peers', 'forensics', 'clusters'] as const;
type AssetTab = (typeof ASSET_TABS)[number];

/** The pages in the order of the navigation. A page is one line here; its module is loaded when it is opened. */
export const PAGES = [
  page('/', 'Overview', () => import('./overview/overview-page.tsx'), {
    place: 'bar',
    words: 'start dashboard movers',
  }),
  page('/assets', 'Assets', () => import('./assets/assets-page.tsx'), {
    place: 'bar',
    words: 'list screen filter',
    search: (raw) => ({
      q: text(raw, 'q'),
      band: list(raw, 'band'),
      chain: text(raw, 'chain'),
      class: text(raw, 'class'),
      flag: text(raw, 'flag'),
      trust: number(raw, 'trust'),
      sort: text(raw, 'sort'),
    }),
  }),
  page('/compare', 'Compare', () => import('./compare/compare-page.tsx'), {
    place: 'bar',
    words: 'side by side',
    search: (raw) => ({ assets: list(raw, 'assets') }),
  }),
  page('/watchlist', 'Watchlist', () => import('./pages/watchlist.tsx'), { place: 'bar', words: 'thresholds import' }),
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
  page('/track-record', 'Track record', () => import('./pages/track-record.tsx'), {
    open: true,
    words: 'defaults reliability calibration',
    search: (raw) => ({ days: number(raw, 'days') }),
  }),
  page('/status', 'Status', () => import('./pages/status.tsx'), { open: true, words: 'sources health freshness' }),
  page(
    '/keys',
    'Keys and usage',
    old(() => import('./pages/keys.tsx').then((m) => m.KeysPage)),
    { words: 'plan statement quota' },
  ),
  page('/setup', 'First start', () => import('./setup/setup.tsx'), { words: 'sources keys prove install capacity' }),
  page('/asset/$name', 'Asset', () => import('./asset/asset-page.tsx'), {
    place: 'none',
    search: (raw): { tab?: AssetTab } => {
      const tab = oneOf(raw, 'tab', ASSET_TABS);
      return tab === undefined ? {} : { tab };
    },
  }),
  page('/job/$id', 'Scoring job', () => import('./pages/job.tsx'), { place: 'none' }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(PAGES),
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
