import Type from 'typebox';
import type { Json } from '../../domain/json.ts';
import type { ObservationDraft } from '../../domain/observation.ts';
import { registrableDomain } from '../read.ts';
import { endpoint, type Params, type ReplyMeta, type Source } from '../source.ts';
import { auditsOn, disclosureShare } from './disclosure.ts';
import { followUps, readPage } from './page.ts';

/**
 * The project's own website: what it says of itself.
 *
 * Lineage: family `web`, self-reported; it proves ties (which token it names, which handles it links) and disclosure, never
 * quality. The address is the caller's, so every request goes through the address guard. At most four further pages of
 * the same registrable domain are read, none that robots.txt forbids to everybody; no scripts are run.
 */
const MOST_PAGES = 4;
const MOST_BYTES = 2 * 1024 * 1024;

function observeHome(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const page = readPage(html, meta.url || String(params.url));
  const audits = auditsOn(page);
  const drafts: ObservationDraft[] = [
    { quantity: 'site_up', value: true },
    { quantity: 'site_links', value: page.links.map((link) => ({ ...link })) },
    { quantity: 'site_contract_addresses', value: page.addresses.map((row) => ({ ...row })) },
    { quantity: 'registry_socials', scope: 'registry:website', value: page.socials.map((row) => ({ ...row })) },
    {
      quantity: 'disclosure_share',
      value: disclosureShare(page),
      meaning: 'landing page and its links against a checklist of ten',
    },
  ];
  if (page.title) drafts.push({ quantity: 'site_title', value: page.title });
  if (audits.length > 0)
    drafts.push(
      { quantity: 'audits_count', value: audits.length, meaning: 'distinct audit firms linked' },
      { quantity: 'audits', value: audits.map((row) => ({ ...row })) },
    );
  const governance = page.links.filter((link) => link.kind === 'governance').length;
  if (governance > 0)
    drafts.push({
      quantity: 'governance_score',
      value: 45,
      meaning: 'a governance page is linked; signers and timelocks are not read here',
      reliability: 0.5,
    });
  return drafts;
}

function learnHome(html: string, params: Params, meta: ReplyMeta): Record<string, Json> {
  const base = meta.url || String(params.url);
  const page = readPage(html, base);
  return {
    'website.githubRepos': page.repos.filter((repo) => repo.includes('/')).slice(0, 5),
    'website.pages': [...followUps(page, registrableDomain(base), MOST_PAGES)],
    'website.hasTeamLink': page.links.some((link) => link.kind === 'team'),
  };
}

function observePage(html: string, params: Params, meta: ReplyMeta): readonly ObservationDraft[] {
  const page = readPage(html, meta.url || String(params.url));
  const audits = auditsOn(page);
  const drafts: ObservationDraft[] = [];
  if (/team|about|founder/i.test(String(params.url))) {
    const state =
      page.people >= 2
        ? 'named_verifiable'
        : page.people === 1 || (/\b(founder|co-founder|chief)\b/i.test(page.words) && page.pseudonyms === 0)
          ? 'partly'
          : page.pseudonyms > 0
            ? 'pseudonymous_old'
            : 'anonymous';
    drafts.push({
      quantity: 'team_state',
      value: state,
      meaning: `${page.people} people with profiles on the team page`,
    });
  }
  if (audits.length > 0)
    drafts.push(
      { quantity: 'audits_count', value: audits.length, meaning: 'distinct audit firms linked' },
      { quantity: 'audits', value: audits.map((row) => ({ ...row })) },
    );
  if (/reserve|attestation|transparency/i.test(String(params.url))) drafts.push(...observeReserves(page.words));
  return drafts;
}

/** Attestation facts stated on a reserves page: self-reported, but dated and naming a firm or not. */
function observeReserves(words: string): readonly ObservationDraft[] {
  const monthly = /monthly (?:attestation|report|examination)/i.test(words);
  const quarterly = /quarterly (?:attestation|report|examination)/i.test(words);
  const byFirm = /(?:attestation|examination|report)s? by [A-Z]/.test(words);
  const state =
    monthly && byFirm
      ? 'monthly_by_firm'
      : quarterly && byFirm
        ? 'quarterly'
        : /attestation|reserves/i.test(words)
          ? 'self_declared'
          : 'none';
  const drafts: ObservationDraft[] = [
    { quantity: 'reserve_attestation_state', value: state, meaning: 'as the reserves page states' },
  ];
  const ratio = /reserves? over liabilities[^0-9]{0,10}(\d(?:\.\d{1,4})?)/i.exec(words)?.[1];
  if (ratio)
    drafts.push({ quantity: 'collateral_ratio', value: Number(ratio), meaning: 'as the reserves page states' });
  const dated = /dated (\d{4}-\d{2}-\d{2})/.exec(words)?.[1];
  if (dated && !Number.isNaN(Date.parse(dated)))
    drafts.push({ quantity: 'attestation_at', value: new Date(dated).toISOString() });
  const open = /redemption at par for (?:everyone|all holders|anybody)/i.test(words);
  if (open || /redemption/i.test(words))
    drafts.push({
      quantity: 'redemption_route_state',
      value: open ? 'open' : 'qualified',
      meaning: 'as the reserves page states',
    });
  return drafts;
}

const wellKnown = (url: string | null, path: string) => {
  try {
    return url === null ? null : new URL(path, url).href;
  } catch {
    return null;
  }
};

export const website: Source = {
  name: 'website',
  title: 'The project’s website',
  doc: 'our own reading of public pages',
  family: 'web',
  tier: 'self_reported',
  reliability: 0.6,
  trust: 'outside',
  bases: {},
  key: null,
  enabledByDefault: true,
  disabledReason: null,
  terms: { attribution: null, redistribute: true, keepBodyDays: 30, note: 'public pages of the project' },
  budget: { perMinute: 120, burst: 20, concurrency: 8, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: [],
  endpoints: [
    endpoint({
      name: 'home',
      doc: 'The landing page the caller names',
      role: 'observe',
      critical: true,
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: ({ websiteUrl }) => (websiteUrl ? [{ url: websiteUrl }] : []),
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: observeHome,
      learn: learnHome,
    }),
    endpoint({
      name: 'robots',
      doc: '/robots.txt, before any further page is read',
      role: 'observe',
      critical: false,
      format: 'text',
      maxBytes: 256 * 1024,
      plan: ({ websiteUrl }) => {
        const url = wellKnown(websiteUrl, '/robots.txt');
        return url ? [{ url }] : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: () => [],
      learn: (reply) => ({ 'website.robots': reply.slice(0, 20_000) }),
    }),
    endpoint({
      name: 'page',
      doc: 'Team, audit, tokenomics, reserves and document pages of the same registrable domain',
      role: 'observe',
      critical: false,
      format: 'html',
      maxBytes: MOST_BYTES,
      plan: ({ learned }) => {
        const pages = learned['website.pages'];
        return Array.isArray(pages)
          ? pages
              .filter((url): url is string => typeof url === 'string' && !isForbidden(learned['website.robots'], url))
              .slice(0, MOST_PAGES)
              .map((url) => ({ url }))
          : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: observePage,
    }),
    endpoint({
      name: 'security_txt',
      doc: '/.well-known/security.txt (RFC 9116)',
      role: 'observe',
      critical: false,
      format: 'text',
      maxBytes: 64 * 1024,
      plan: ({ websiteUrl }) => {
        const url = wellKnown(websiteUrl, '/.well-known/security.txt');
        return url ? [{ url }] : [];
      },
      request: (params) => ({ url: String(params.url) }),
      reply: Type.String(),
      observe: (reply) => [{ quantity: 'security_txt', value: /^\s*contact:/im.test(reply) }],
    }),
  ],
};
