import { createHashHistory, createRouter } from '@tanstack/react-router';
import { ALERT_KINDS, BULK_STATES, PRESETS, REGISTER_STATES } from './format.ts';
import { page, root } from './page.ts';
import { list, number, oneOf, parseSearch, text, writeSearch } from './search.ts';

const ASSET_TABS = ['rating', 'sources', 'peers', 'forensics', 'clusters'] as const;
type AssetTab = (typeof ASSET_TABS)[number];

const registerSearch = (raw: Record<string, unknown>) => ({
  asset: text(raw, 'asset'),
  state: oneOf(raw, 'state', REGISTER_STATES),
});

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
  page('/portfolio', 'Portfolio', () => import('./portfolio/portfolio-page.tsx'), {
    words: 'policy rules holdings positions treasury exposure simulation csv address',
    search: (raw) => ({
      by: oneOf(raw, 'by', ['address']),
      preset: oneOf(raw, 'preset', PRESETS),
      chains: list(raw, 'chains'),
      seed: number(raw, 'seed'),
      runs: number(raw, 'runs'),
    }),
  }),
  page('/watchlist', 'Watchlist', () => import('./pages/watchlist.tsx'), { place: 'bar', words: 'thresholds import' }),
  page('/alerts', 'Alerts', () => import('./pages/alerts.tsx'), {
    place: 'bar',
    words: 'acknowledge',
    search: (raw) => ({
      show: oneOf(raw, 'show', ['all']),
      kind: oneOf(raw, 'kind', ALERT_KINDS),
      asset: text(raw, 'asset'),
    }),
  }),
  page('/score', 'Score a project', () => import('./pages/score.tsx'), {
    place: 'bar',
    words: 'rate new job',
    search: (raw) => ({ asset: text(raw, 'asset') }),
  }),
  page('/bulk', 'Bulk', () => import('./bulk/bulk-page.tsx'), {
    words: 'many csv upload paste list job',
    search: (raw) => ({ job: text(raw, 'job'), state: oneOf(raw, 'state', BULK_STATES) }),
  }),
  page('/coverage', 'Coverage', () => import('./coverage/coverage-page.tsx'), {
    words: 'index indexed assets queue ask snapshots',
    search: (raw) => ({ chain: text(raw, 'chain'), mine: oneOf(raw, 'mine', ['true']), asset: text(raw, 'asset') }),
  }),
  page('/account', 'Account', () => import('./account/account-page.tsx'), {
    words: 'keys usage plan statement quota limits',
    search: (raw) => ({
      tab: oneOf(raw, 'tab', ['usage', 'keys', 'plan']),
      by: oneOf(raw, 'by', ['day', 'endpoint_group', 'key', 'plan']),
    }),
  }),
  page('/webhooks', 'Webhooks', () => import('./pages/webhooks.tsx'), {
    words: 'deliveries',
    search: (raw) => ({ of: text(raw, 'of') }),
  }),
  page('/exports', 'Exports', () => import('./pages/exports.tsx'), {
    words: 'files parquet csv',
    search: (raw) => ({ chain: text(raw, 'chain') }),
  }),
  page('/disputes', 'Disputes', () => import('./pages/disputes.tsx'), {
    open: true,
    words: 'corrections restatements',
    search: (raw) => ({ asset: text(raw, 'asset'), job: text(raw, 'job') }),
  }),
  page('/methodology', 'Methodology', () => import('./pages/methodology.tsx'), {
    open: true,
    words: 'weights anchors bands versions',
    search: (raw) => ({ version: text(raw, 'version') }),
  }),
  page('/registers', 'Registers', () => import('./pages/registers.tsx'), { open: true, search: registerSearch }),
  page('/registers/$name', 'Register', () => import('./pages/registers.tsx'), {
    place: 'none',
    open: true,
    search: registerSearch,
  }),
  page('/track-record', 'Track record', () => import('./pages/track-record.tsx'), {
    open: true,
    words: 'defaults reliability calibration',
    search: (raw) => ({ days: number(raw, 'days') }),
  }),
  page('/status', 'Status', () => import('./pages/status.tsx'), { open: true, words: 'sources health freshness' }),
  page('/keys', 'All keys', () => import('./pages/keys.tsx'), { words: 'operator administrator accounts' }),
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
