import Type from 'typebox';
import type { Json, ObservationDraft, Tie } from '../../domain/index.ts';
import { siteFacts } from '../../domain/index.ts';
import { testnetAddress } from '../explorers.ts';
import { tieDraft } from '../github-ties.ts';
import { githubAccount, isOwnPage, landingPage, ledElsewhere, registrableDomain } from '../links.ts';
import { defineSource, endpoint, type Params, type ReplyMeta } from '../source.ts';
import { learnOtherEnds, otherEndOf } from '../ties.ts';
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
 * The project's own website: what it says of itself.
 *
 * Lineage: family `web`, self-reported; it proves ties (which token it names, which handles it links) and disclosure, never
 * quality. Only pages that the owner writes speak: the landing page of the host, pages of the same registrable domain that it
 * links (at most four; of a project without a token eleven; none that robots.txt forbids to everybody) and well-known files; never
 * a path or query that somebody else chose, and nothing that a redirect to another domain shows. Scripts are not run. The host
 * may be one that a caller named, so every request goes through the address guard.
 */
const MOST_PAGES = 4;
/** Of a project without a token, whose pages are most of what there is to read. */
const MOST_FACT_PAGES = 11;
const MOST_BYTES = 2 * 1024 * 1024;

function observeHome(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const base = meta.url || String(params.url);
  // A domain that only leads on to a social network, a launch pad or somebody else's domain says nothing there that is its own.
  if (!isOwnPage(base)) return [{ quantity: 'site_up', value: true, meaning: 'leads to a shared platform' }];
  if (ledElsewhere(String(params.url), base))
    return [{ quantity: 'site_up', value: true, meaning: 'leads to another domain' }];
  const page = readPage(html, base);
  const drafts: ObservationDraft[] = [
    { quantity: 'site_up', value: true },
    { quantity: 'site_links', value: page.links.map((link) => ({ ...link })) },
    { quantity: 'site_contract_addresses', value: page.addresses.map((row) => ({ ...row })) },
    { quantity: 'registry_socials', scope: 'registry:website', value: page.socials.map((row) => ({ ...row })) },
    {
      quantity: 'disclosure_share',
      value: disclosureShare(page),
      meaning: 'landing page and its links against a checklist of ten; four of them count by their ties alone',
    },
  ];
  if (page.title) drafts.push({ quantity: 'site_title', value: page.title });
  drafts.push(...tieDrafts(siteTies(page, base), base));
  return drafts;
}

function learnHome(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const base = meta.url || String(params.url);
  if (!isOwnPage(base) || ledElsewhere(String(params.url), base)) return {};
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

/** Reports and bounty programmes that the page links; the firm's own page is read by `third_parties`. */
function learnReports(page: Page, url: string): Record<string, Json> {
  const ends = [
    ...auditLinks(page).map((link) => otherEndOf('audit', link)),
    ...page.links.filter((link) => link.kind === 'bounty').map((link) => otherEndOf('bounty', link.url)),
  ];
  return learnOtherEnds(ends, `website:${url}`);
}

/** Further pages. One that led elsewhere says nothing here: it is not the project's. */
function observePage(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const url = meta.url || String(params.url);
  if (ledElsewhere(String(params.url), url)) return [];
  const page = readPage(html, url);
  const isTeam = isTeamPage(params);
  const ties = [...siteTies(page, url), ...(isTeam ? peopleTies(page, url) : [])];
  const drafts: ObservationDraft[] = [...tieDrafts(ties, url)];
  if (isTeam && !namesSomebody(page) && isFilledIn(page.words))
    drafts.push({ quantity: 'team_state', value: 'anonymous', meaning: 'the team page names nobody' });
  if (/reserve|attestation|transparency/i.test(String(params.url))) drafts.push(...observeReserves(page.words));
  return drafts;
}

function learnPage(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const url = meta.url || String(params.url);
  if (ledElsewhere(String(params.url), url)) return {};
  const page = readPage(html, url);
  return {
    ...learnReports(page, url),
    ...(isTeamPage(params) ? { [`website.people:${url}`]: [...githubPeople(page)] } : {}),
  };
}

function isTeamPage(params: Params): boolean {
  return /team|about|founder/i.test(String(params.url));
}

/** Facts of one page. A page that led elsewhere says nothing here: it is not the project's. */
function observeFacts(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const asked = String(params.url);
  const url = meta.url || asked;
  if (!isOwnPage(url) || ledElsewhere(asked, url)) return [];
  const facts = readFacts(html, url, String(params.project));
  return [{ quantity: 'site_facts', scope: `page:${asked}`, value: facts.map((fact) => ({ ...fact })) }];
}

/** Contracts on test networks and papers that one page links; each page under a name of its own, so that none overwrites another's. */
function learnFacts(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const facts = observeFacts(html, params, meta).flatMap((draft) => siteFacts(draft.value));
  const url = String(params.url);
  const contracts = facts.flatMap((fact) =>
    fact.kind === 'testnet_contract' ? (testnetAddress(fact.link ?? '') ?? []) : [],
  );
  const papers = papersIn(facts, url);
  const people = facts.flatMap(({ kind, link }) => (kind === 'person' ? (githubAccount(link) ?? []) : []));
  return {
    ...(contracts.length === 0 ? {} : { [`website.testnet:${url}`]: contracts.map((row) => ({ ...row })) }),
    ...(papers.length === 0 ? {} : { [`website.papers:${url}`]: [...papers] }),
    ...learnOtherEnds(
      facts.flatMap(({ kind, link }) =>
        (kind === 'audit' || kind === 'bounty') && link !== null ? [otherEndOf(kind, link)] : [],
      ),
      `facts:${url}`,
    ),
    ...(people.length === 0 ? {} : { [`website.people:${url}`]: people }),
  };
}

/** A well-known file on the project's own host; null on shared platforms. */
function wellKnown(url: string | null, path: string): string | null {
  const landing = landingPage(url);
  return landing === null ? null : new URL(path, landing).href;
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
  tells: { insiders: 2, repository_links: 1, audits: 1, audit_links: 1, site: 1 },
  endpoints: [
    endpoint({
      name: 'home',
      doc: 'The landing page of the project’s host: never a path, query or port that a caller chose',
      critical: true,
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: ({ websiteUrl }) => {
        const url = landingPage(websiteUrl);
        return url ? [{ url }] : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: observeHome,
      learn: learnHome,
    }),
    endpoint({
      name: 'robots',
      doc: '/robots.txt, before any further page is read',
      format: 'text',
      maxBytes: 256 * 1024,
      plan: ({ websiteUrl }) => {
        const url = wellKnown(websiteUrl, '/robots.txt');
        return url ? [{ url }] : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      learnedWhenMissing: { 'website.robots': '' },
      learn: (reply) => ({ 'website.robots': reply.slice(0, 20_000) }),
    }),
    endpoint({
      name: 'page',
      doc: 'Team, audit, tokenomics, reserves and document pages of the same registrable domain',
      format: 'html',
      maxBytes: MOST_BYTES,
      // Not before robots.txt was read: a race between the two must not decide what is polite.
      plan: ({ learned }) => {
        const { 'website.pages': pages, 'website.robots': robots } = learned;
        if (!Array.isArray(pages) || typeof robots !== 'string') return [];
        const allowed = pages.filter((url): url is string => typeof url === 'string' && isAllowed(robots, url));
        return allowed.slice(0, MOST_PAGES).map((url) => ({ url }));
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: observePage,
      learn: learnPage,
    }),
    endpoint({
      name: 'facts',
      doc: 'Of a project without a token: what its pages state, each fact with its sentence',
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: ({ learned, stage, project }) => {
        const { 'website.factPages': pages, 'website.robots': robots } = learned;
        if (stage !== 'pre_tge' || !Array.isArray(pages) || typeof robots !== 'string') return [];
        const allowed = pages.filter((url): url is string => typeof url === 'string' && isAllowed(robots, url));
        return allowed.slice(0, MOST_FACT_PAGES).map((url) => ({ url, project }));
      },
      request: (params) => ({ url: String(params.url) }),
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
      plan: ({ websiteUrl }) => {
        const url = wellKnown(websiteUrl, '/.well-known/security.txt');
        return url ? [{ url }] : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: (reply, params, meta) =>
        ledElsewhere(String(params.url), meta.url || String(params.url))
          ? []
          : [{ quantity: 'security_txt', value: /^[ \t]{0,100}contact:/im.test(reply) }],
    }),
  ],
});
