import Type from 'typebox';
import type { Json, ObservationDraft, Tie } from '../../domain/index.ts';
import { siteFacts } from '../../domain/index.ts';
import { testnetAddress } from '../explorers.ts';
import { tieDraft } from '../github-ties.ts';
import { githubAccount, isOtherOwner, isOwnPage, landingPage, registrableDomain } from '../links.ts';
import { observed } from '../observations.ts';
import { textsIn } from '../read.ts';
import { atUrl } from '../requests.ts';
import { defineSource, endpoint, type Facts, fact, type Params, type ReplyMeta } from '../source.ts';
import { learnTiePages, tiePageOf } from '../ties.ts';
import {
  auditLinks,
  disclosureShare,
  githubPeople,
  isFilledIn,
  namesSomebody,
  observeReserves,
  peopleTies,
  siteTies,
  snapshotSpaces,
} from './claims.ts';
import { factPages, readFacts } from './facts/read-facts.ts';
import { followUps, type Page, readPage } from './page.ts';
import { paperEndpoint, papersIn } from './paper.ts';
import { isAllowed } from './robots.ts';

/**
 * The project's own website: its statements about itself.
 *
 * Lineage: family `web`, self-reported; it proves ties (which token it names, which handles it links) and disclosure, never
 * quality. Only pages that the owner writes count: the landing page of the host, pages of the same registrable domain that it
 * links (at most four, or eleven for a project without a token; none that robots.txt disallows for all agents), and well-known
 * files. A path or query chosen by another party is never requested, and a redirect to another domain gives no content. Scripts
 * are not run. A caller may name any host, so every request goes through the address guard.
 */
const MOST_PAGES = 4;
/** Limit for a project without a token, for which the website is the main evidence. */
const MOST_FACT_PAGES = 11;
const MOST_BYTES = 2 * 1024 * 1024;

function observeHome(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const base = meta.url || String(params.url);
  // A domain that only redirects to a social network, a launch pad or another party's domain has no content of its own.
  if (!isOwnPage(base)) return observed('site_up', true, 'leads to a shared platform');
  if (isOtherOwner(String(params.url), base)) return observed('site_up', true, 'leads to another domain');
  const page = readPage(html, base);
  return [
    ...observed('site_up', true),
    ...observed('site_links', rowsOf(page.links)),
    ...observed('site_contract_addresses', rowsOf(page.addresses)),
    ...observed('registry_socials', rowsOf(page.socials), { scope: 'registry:website' }),
    ...observed(
      'disclosure_share',
      disclosureShare(page),
      'landing page and its links against a checklist of ten; four of them count by their ties alone',
    ),
    ...observed('site_title', page.title || null),
    ...tieDrafts(siteTies(page, base), base),
  ];
}

function rowsOf(rows: readonly object[]): Json {
  return rows.map((row) => ({ ...row })) as Json;
}

function learnHome(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const base = meta.url || String(params.url);
  if (!isOwnPage(base) || isOtherOwner(String(params.url), base)) return {};
  const page = readPage(html, base);
  return {
    'website.githubRepos': page.repos.filter((repo) => repo.includes('/')).slice(0, 5),
    'website.githubOrgs': page.repos.filter((repo) => !repo.includes('/')).slice(0, 2),
    'website.pages': [...followUps(page, registrableDomain(base), MOST_PAGES)],
    'website.factPages': [...factPages(html, base, MOST_FACT_PAGES)],
    'website.snapshotSpaces': [...snapshotSpaces(page)],
    ...learnReports(page, base),
    'website.hasTeamLink': page.links.some((link) => link.kind === 'team'),
  };
}

function tieDrafts(ties: readonly Tie[], url: string): readonly ObservationDraft[] {
  return ties.length === 0 ? [] : [tieDraft('website', ties, url.slice(0, 300))];
}

/** Reports and bounty programmes that the page links. `third_parties` reads the firm's own page. */
function learnReports(page: Page, url: string): Record<string, Json> {
  const ends = [
    ...auditLinks(page).map((link) => tiePageOf('audit', link)),
    ...page.links.filter((link) => link.kind === 'bounty').map((link) => tiePageOf('bounty', link.url)),
  ];
  return learnTiePages(ends, `website:${url}`);
}

/** Observations from further pages; [] for a page that redirected to another owner's domain. */
function observePage(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const url = meta.url || String(params.url);
  if (isOtherOwner(String(params.url), url)) return [];
  const page = readPage(html, url);
  const isTeam = isTeamPage(params);
  const ties = [...siteTies(page, url), ...(isTeam ? peopleTies(page, url) : [])];
  const isAnonymous = isTeam && !namesSomebody(page) && isFilledIn(page.words);
  return [
    ...tieDrafts(ties, url),
    ...observed('team_state', isAnonymous ? 'anonymous' : null, 'the team page names nobody'),
    ...(/reserve|attestation|transparency/i.test(String(params.url)) ? observeReserves(page.words) : []),
  ];
}

function learnPage(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const url = meta.url || String(params.url);
  if (isOtherOwner(String(params.url), url)) return {};
  const page = readPage(html, url);
  return {
    ...learnReports(page, url),
    ...fact(`website.people:${url}`, isTeamPage(params) ? [...githubPeople(page)] : null),
  };
}

function isTeamPage(params: Params): boolean {
  return /team|about|founder/i.test(String(params.url));
}

/** Facts of one page; none for a page that redirected to another owner's domain. */
function observeFacts(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const requested = String(params.url);
  const url = meta.url || requested;
  if (!isOwnPage(url) || isOtherOwner(requested, url)) return [];
  const facts = readFacts(html, url, String(params.project));
  return observed('site_facts', rowsOf(facts), { scope: `page:${requested}` });
}

/** Contracts on test networks, papers, reports and people that a page links. The keys contain the page's URL, so that pages do not overwrite each other. */
function learnFacts(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const facts = observeFacts(html, params, meta).flatMap((draft) => siteFacts(draft.value));
  const url = String(params.url);
  const contracts = facts.flatMap(({ kind, link }) =>
    kind === 'testnet_contract' ? (testnetAddress(link ?? '') ?? []) : [],
  );
  const papers = papersIn(facts, url);
  const people = facts.flatMap(({ kind, link }) => (kind === 'person' ? (githubAccount(link) ?? []) : []));
  return {
    ...fact(`website.testnet:${url}`, contracts.length === 0 ? null : rowsOf(contracts)),
    ...fact(`website.papers:${url}`, papers.length === 0 ? null : [...papers]),
    ...learnTiePages(
      facts.flatMap(({ kind, link }) =>
        (kind === 'audit' || kind === 'bounty') && link !== null ? [tiePageOf(kind, link)] : [],
      ),
      `facts:${url}`,
    ),
    ...fact(`website.people:${url}`, people.length === 0 ? null : people),
  };
}

/** Plans the request for a page or a file on the project's own host; [] on shared platforms. */
function wellKnown(path: string): (facts: Facts) => readonly Params[] {
  return ({ websiteUrl }) => {
    const landing = landingPage(websiteUrl);
    return landing === null ? [] : [{ url: new URL(path, landing).href }];
  };
}

/** The learned pages that robots.txt allows; none before robots.txt was read, so that the order of replies does not matter. */
function allowedPages(
  { learned }: Facts,
  pages: 'website.pages' | 'website.factPages',
  most: number,
): readonly string[] {
  const { 'website.robots': robots } = learned;
  if (typeof robots !== 'string') return [];
  return textsIn(learned[pages])
    .filter((url) => isAllowed(robots, url))
    .slice(0, most);
}

export const website = defineSource({
  name: 'website',
  title: 'The project’s website',
  doc: 'our own reading of public pages',
  family: 'web',
  tier: 'self_reported',
  reliability: 0.6,
  trust: 'outside',
  bases: {},
  terms: { redistribute: true, keepBodyDays: 30, note: 'public pages of the project' },
  budget: { perMinute: 120, burst: 20, concurrency: 8, shareSeconds: 60 },
  timeoutMs: 8_000,
  provides: { insiders: 2, repository_links: 1, audits: 1, audit_links: 1, site: 1 },
  endpoints: [
    endpoint({
      name: 'home',
      doc: 'The landing page of the project’s host: never a path, query or port that a caller chose',
      critical: true,
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: wellKnown('/'),
      request: atUrl,
      reply: Type.String(),
      observe: observeHome,
      learn: learnHome,
    }),
    endpoint({
      name: 'robots',
      doc: '/robots.txt, before any further page is read',
      format: 'text',
      maxBytes: 256 * 1024,
      plan: wellKnown('/robots.txt'),
      request: atUrl,
      reply: Type.String(),
      learnedWhenMissing: { 'website.robots': '' },
      learn: (reply) => ({ 'website.robots': reply.slice(0, 20_000) }),
    }),
    endpoint({
      name: 'page',
      doc: 'Team, audit, tokenomics, reserves and document pages of the same registrable domain',
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: (facts) => allowedPages(facts, 'website.pages', MOST_PAGES).map((url) => ({ url })),
      request: atUrl,
      reply: Type.String(),
      observe: observePage,
      learn: learnPage,
    }),
    endpoint({
      name: 'facts',
      doc: 'Of a project without a token: what its pages state, each fact with its sentence',
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: (facts) =>
        facts.stage === 'pre_tge'
          ? allowedPages(facts, 'website.factPages', MOST_FACT_PAGES).map((url) => ({ url, project: facts.project }))
          : [],
      request: atUrl,
      reply: Type.String(),
      observe: observeFacts,
      learn: learnFacts,
    }),
    paperEndpoint,
    endpoint({
      name: 'security_txt',
      doc: '/.well-known/security.txt (RFC 9116)',
      format: 'text',
      maxBytes: 64 * 1024,
      plan: wellKnown('/.well-known/security.txt'),
      request: atUrl,
      reply: Type.String(),
      observe: (reply, params, meta) =>
        isOtherOwner(String(params.url), meta.url || String(params.url))
          ? []
          : [{ quantity: 'security_txt', value: /^[ \t]{0,100}contact:/im.test(reply) }],
    }),
  ],
});
