import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ObservationDraft } from '../domain/index.ts';
import { explorerAddress } from './explorers.ts';
import { registrableDomain } from './links.ts';
import { observed } from './observations.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  fieldsOf,
  LooseOptional,
  listsUnder,
  Maybe,
  Nullable,
  TextOptional,
} from './read.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';

/**
 * Immunefi: every public bug bounty programme on the platform, with its largest payout.
 *
 * Lineage: the platform's own programmes, agreed with the projects; family `immunefi`. A programme belongs to an asset if its scope has
 * a page on the project's domain, or if it names that domain and either the project's site links it or its scope has the token's contract,
 * which no other programme has. A contract alone does not count: protocols list the tokens that they use (Chainlink's and Uniswap's among
 * the markets of Compound), nor does a link alone. Invitation-only programmes and contests, which end, are not permanent bounties. Immunefi
 * publishes no API reference; the file is the only public endpoint, without a key, pages or filters (api-evangelist/immunefi, read
 * 2026-08-23: 249 programmes, 6.5 MB). Terms of the data were not found. Limits: none published. Quirks: `maxBounty` (in a
 * mirror of the list `maximum_reward`) is in dollars, whatever currency is paid.
 */
const Programme = Type.Object({
  id: TextOptional,
  slug: TextOptional,
  maxBounty: LooseOptional,
  maximum_reward: LooseOptional,
  ...fields(TextOptional, 'launchDate', 'updatedDate', 'endDate'),
  inviteOnly: FlagOptional,
  kyc: FlagOptional,
  websiteUrl: TextOptional,
  programOverview: TextOptional,
  assets: Maybe(Type.Array(Type.Object({ url: TextOptional, type: TextOptional }))),
  impacts: Maybe(Type.Array(Type.Unknown())),
  rewards: Maybe(Type.Array(Type.Unknown())),
});
type Programme = Static<typeof Programme>;
const isProgramme = Compile(Programme);

/** Stored part of a programme, because the texts are megabytes in size. */
const Row = Type.Object({
  slug: Type.String(),
  maxUsd: Nullable(Type.Number()),
  launchedAt: Nullable(Type.String()),
  updatedAt: Nullable(Type.String()),
  kyc: Nullable(Type.Boolean()),
  /** `chain:address` of contracts in scope. */
  places: Type.Array(Type.String()),
  /** Domains in scope, and the project's domain as the platform states it. */
  domains: Type.Array(Type.String()),
  /** Domains named in the programme's text. */
  named: Type.Array(Type.String()),
  counts: Type.Object({ assets: Type.Integer(), impacts: Type.Integer(), rewards: Type.Integer() }),
});
type Row = Static<typeof Row>;
const isRow = Compile(Row);

const MOST_IN_SCOPE = 1_000;
const MOST_NAMED = 20;
const SLUG = /^[a-z0-9][a-z0-9-]{0,79}$/;

function rowOf(programme: Programme): Row | null {
  const slug = (programme.slug ?? programme.id ?? '').toLowerCase();
  // Contests pay once, and invitation-only programmes are not public.
  if (!SLUG.test(slug) || programme.inviteOnly === true || (programme.endDate ?? null) !== null) return null;
  const scope = (programme.assets ?? []).slice(0, MOST_IN_SCOPE);
  const links = scope.flatMap(({ url }) => url ?? []);
  const sites = scope.flatMap(({ url, type }) => (type === 'websites_and_applications' ? (url ?? []) : []));
  const places = links.flatMap((link) => {
    const found = explorerAddress(link);
    return found === null ? [] : [`${found.chain}:${found.address}`];
  });
  const text = (programme.programOverview ?? '').slice(0, 50_000);
  return {
    slug,
    maxUsd: amount(programme.maxBounty ?? programme.maximum_reward),
    launchedAt: date(programme.launchDate),
    updatedAt: date(programme.updatedDate),
    kyc: programme.kyc ?? null,
    places: [...new Set(places)],
    domains: domainsIn([programme.websiteUrl ?? '', ...sites]),
    named: domainsIn(text.match(/https?:\/\/[^\s)\]"'<>]{4,200}/g) ?? []).slice(0, MOST_NAMED),
    counts: {
      assets: programme.assets?.length ?? 0,
      impacts: programme.impacts?.length ?? 0,
      rewards: programme.rewards?.length ?? 0,
    },
  };
}

/** Registrable domains of links, without the platform's own domain, which is in many scopes. */
function domainsIn(links: readonly string[]): string[] {
  const found = links.flatMap((link) => registrableDomain(link) ?? []);
  return [...new Set(found)].filter((domain) => domain !== 'immunefi.com');
}

/**
 * Rows of the whole list, of a single programme's page, or of stored rows. An invalid programme is dropped and does not reject the list.
 * The first row of a domain counts for it: that of the largest payout.
 */
function rowsOf(reply: unknown): readonly Row[] {
  const one = fieldsOf(fieldsOf(reply).pageProps).bounty;
  const all = Array.isArray(reply) ? reply : one === undefined ? [] : [one];
  const rows = all.flatMap((row): Row | readonly Row[] =>
    isRow.Check(row) ? row : isProgramme.Check(row) ? (rowOf(row) ?? []) : [],
  );
  return withoutShared(rows).toSorted(
    (a, b) => (b.maxUsd ?? -1) - (a.maxUsd ?? -1) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0),
  );
}

/** Without contracts in the scope of several programmes: projects also list contracts of others that they use. */
function withoutShared(rows: readonly Row[]): readonly Row[] {
  const seen = new Map<string, number>();
  for (const place of rows.flatMap(({ places }) => places)) seen.set(place, (seen.get(place) ?? 0) + 1);
  return rows.map((row) => ({ ...row, places: row.places.filter((place) => seen.get(place) === 1) }));
}

const placeOf = ({ chain, address }: Facts) => (chain === null || address === null ? null : `${chain.name}:${address}`);

/** Params that find programmes by the contract, by the domain, and by the links on the site. */
function plan(facts: Facts): readonly Params[] {
  const { registrableDomain: domain, learned } = facts;
  const linked = listsUnder('third_parties.website:', learned).flatMap(
    (row) => /^https:\/\/immunefi\.com\/bug-bounty\/([a-z0-9-]{1,80})\//.exec(`${fieldsOf(row).url}/`)?.[1] ?? [],
  );
  if (domain === null) return [];
  const place = facts.address === 'native' ? null : placeOf(facts);
  return [
    ...(place === null ? [] : [{ place, domain }]),
    { domain },
    ...[...new Set(linked)]
      .sort()
      .slice(0, 2)
      .map((slug) => ({ slug, domain })),
  ];
}

function isOf({ slug, places, domains, named }: Row, { place, domain, slug: linked }: Params): boolean {
  if (typeof domain !== 'string') return false;
  const isNamed = [...domains, ...named].includes(domain);
  if (typeof place === 'string') return isNamed && places.includes(place);
  return typeof linked === 'string' ? isNamed && slug === linked : domains.includes(domain);
}

function observe(reply: unknown, params: Params): readonly ObservationDraft[] {
  const found = rowsOf(reply).find((row) => isOf(row, params));
  if (found === undefined) return [];
  const { slug, maxUsd, launchedAt, updatedAt, kyc, counts } = found;
  const words = [
    `programme ${slug} at Immunefi`,
    ...(launchedAt === null ? [] : [`since ${launchedAt.slice(0, 10)}`]),
    ...(updatedAt === null ? [] : [`changed ${updatedAt.slice(0, 10)}`]),
    `${counts.assets} assets, ${counts.impacts} impacts, ${counts.rewards} rewards`,
    ...(kyc === true ? ['finders are identified'] : []),
  ];
  return observed('bounty_max_usd', maxUsd, words.join(', '));
}

export const immunefi = defineSource({
  name: 'immunefi',
  title: 'Immunefi',
  doc: 'https://immunefi.com/bug-bounty/',
  family: 'immunefi',
  tier: 'registry',
  reliability: 0.85,
  bases: { main: 'https://immunefi.com' },
  terms: {
    attribution: { text: 'Bug bounties: Immunefi', url: 'https://immunefi.com' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'terms of the data were not found: request permission before passing it on',
  },
  budget: { perMinute: 2, burst: 1, concurrency: 1, shareSeconds: 3_600 },
  timeoutMs: 20_000,
  endpoints: [
    endpoint({
      name: 'bounties',
      doc: '/public-api/bounties.json: all programmes with scope and largest payout (shape: api-evangelist/immunefi, data-model, 2026-08-23)',
      maxBytes: 24 * 1024 * 1024,
      plan,
      request: () => ({ path: '/public-api/bounties.json' }),
      reply: Type.Union([Type.Array(Type.Unknown()), Type.Object({ pageProps: Type.Unknown() })]),
      classify: (reply) =>
        rowsOf(reply).length > 0 ? { outcome: 'ok' } : { outcome: 'malformed', detail: 'no bounty programme' },
      list: {
        refreshSeconds: 24 * 60 * 60,
        rowsOf,
        keysOf: (row) => {
          const { slug, places, domains } = row as Row;
          return [...places, ...domains, `slug:${slug}`];
        },
        keyOf: ({ place, domain, slug }) =>
          typeof slug === 'string'
            ? `slug:${slug}`
            : typeof place === 'string'
              ? place
              : typeof domain === 'string'
                ? domain
                : null,
      },
      observe,
    }),
  ],
});
