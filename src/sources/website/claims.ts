import { DISCLOSURE_ITEMS, type ObservationDraft, type Tie } from '../../domain/index.ts';
import { registrableDomain } from '../links.ts';
import { observed } from '../observations.ts';
import { auditorOf } from '../ties.ts';
import type { Page } from './page.ts';

const MOST_OF_A_KIND = 10;
const LINKED = 'linked by the project';
/** The ENS or DNS name of a space in URLs of Snapshot's two sites. */
const SNAPSHOT =
  /^https:\/\/(?:www\.)?snapshot\.(?:org|box)\/(?:#\/)?(?:s:)?([a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,4})(?:[/?#]|$)/i;

/** Claims of a page that another party must confirm: repositories, audits, governance. */
export function siteTies(page: Page, url: string): readonly Tie[] {
  const own = registrableDomain(url);
  return [
    ...page.repos
      .filter((repo) => repo.includes('/') && auditorOf(`https://github.com/${repo}`) === null)
      .map((repo) => linked('repository', repo, `https://github.com/${repo}`)),
    ...auditLinks(page)
      // The project's own pages on audits are read separately.
      .filter((url) => registrableDomain(url) !== own || own === null || /\.pdf$/i.test(url))
      .map((url) => auditTie(url, own)),
    ...page.links.filter((link) => link.kind === 'governance').map((link) => governanceTie(link.url, own)),
  ].filter((tie, index, all) => all.filter((row, at) => at < index && row.kind === tie.kind).length < MOST_OF_A_KIND);
}

/** Links to audit reports, recognised by their text or by the repository in which a firm publishes. */
export function auditLinks(page: Page): readonly string[] {
  return page.links
    .filter((link) => link.kind === 'audit' || (link.kind === 'github' && auditorOf(link.url) !== null))
    .map((link) => link.url);
}

/** People that a team page links. LinkedIn profiles are not fetched, and anyone may link to one. */
export function peopleTies(page: Page, url: string): readonly Tie[] {
  const logins = githubPeople(page).map((login) => linked('person', `github:${login}`, `https://github.com/${login}`));
  const profiles: Tie[] = page.profiles.map((link) => ({
    kind: 'person',
    subject: `linkedin:${link.split('/in/')[1]?.split(/[/?#]/)[0] ?? ''}`.slice(0, 120),
    state: 'linked',
    by: 'profiles on LinkedIn are not read and do not count',
    link,
  }));
  const named: Tie[] =
    logins.length + profiles.length === 0 && namesSomebody(page)
      ? [
          {
            kind: 'person',
            subject: 'named without a profile',
            state: 'claimed',
            by: 'by the project’s own page',
            link: url.slice(0, 400),
          },
        ]
      : [];
  return [...logins, ...profiles, ...named].slice(0, 2 * MOST_OF_A_KIND);
}

/** GitHub accounts that a team page links, lower-case. */
export function githubPeople(page: Page): readonly string[] {
  return [...new Set(page.repos.filter((repo) => !repo.includes('/')).map((login) => login.toLowerCase()))];
}

/** True if the page names a person behind the project, in any form. */
export function namesSomebody(page: Page): boolean {
  return (
    page.profiles.length > 0 ||
    page.pseudonyms > 0 ||
    githubPeople(page).length > 0 ||
    /\b(?:founder|co-founder|chief)\b/i.test(page.words)
  );
}

/** Voting spaces that a page links, by their id. */
export function snapshotSpaces(page: Page): readonly string[] {
  return [...new Set(page.links.flatMap((link) => SNAPSHOT.exec(link.url)?.[1]?.toLowerCase() ?? []))].slice(0, 3);
}

/** A link for a report by a known firm; otherwise only a claim, because anyone can claim to be audited. */
function auditTie(url: string, own: string | null): Tie {
  const firm = auditorOf(url);
  if (firm !== null) return linked('audit', firm, url);
  const isOwn = own !== null && registrableDomain(url) === own;
  return {
    kind: 'audit',
    subject: isOwn ? 'own page' : (registrableDomain(url) ?? 'another site'),
    state: 'claimed',
    by: isOwn ? 'on the project’s own site' : 'by no known firm',
    link: url,
  };
}

function governanceTie(url: string, own: string | null): Tie {
  const space = SNAPSHOT.exec(url)?.[1]?.toLowerCase();
  if (space !== undefined) return linked('governance', `snapshot:${space}`, url);
  const domain = registrableDomain(url);
  return domain !== null && domain === own
    ? { kind: 'governance', subject: 'own page', state: 'claimed', by: 'on the project’s own site', link: url }
    : linked('governance', domain ?? 'another site', url);
}

function linked(kind: Tie['kind'], subject: string, link: string): Tie {
  return { kind, subject, state: 'linked', by: LINKED, link };
}

/**
 * Items of the disclosure checklist that a page can show by itself, one point each. The other four items (repository, audit, governance
 * and team) count by their ties (`rating/ties.ts`), because anyone can link to another party.
 */
const CHECKLIST: readonly ((page: Page) => boolean)[] = [
  (page) => has(page, 'docs'),
  (page) => has(page, 'whitepaper'),
  (page) => has(page, 'tokenomics'),
  (page) => has(page, 'legal'),
  (page) => page.socials.length >= 2,
  (page) => page.addresses.length > 0,
];

/** Share of the whole checklist that the page shows, 0-0.6. */
export function disclosureShare(page: Page): number {
  return CHECKLIST.filter((isThere) => isThere(page)).length / DISCLOSURE_ITEMS;
}

function has(page: Page, kind: string): boolean {
  return page.links.some((link) => link.kind === kind);
}

const MEANING = 'as the reserves page states';
/** "reserves over liabilities 1.02", "... are 102.3 %"; a number in any other form is ignored. */
const RATIO = /reserves? over liabilities[^0-9]{0,10}(\d(?:\.\d{1,4})?)(?![\d%]|[.,]\d| %)/i;
const PERCENT = /reserves? over liabilities[^0-9]{0,10}(\d{2,3}(?:\.\d{1,4})?) ?%/i;

/** Self-reported attestation facts on a reserves page: state, ratio, date and redemption route. An unreadable page gives no observations. */
export function observeReserves(words: string): readonly ObservationDraft[] {
  const dated = /dated (\d{4}-\d{2}-\d{2})/.exec(words)?.[1];
  const isDated = dated !== undefined && !Number.isNaN(Date.parse(dated));
  const isOpen = /redemption at par for (?:everyone|all holders|anybody)/i.test(words);
  return [
    ...observed('reserve_attestation_state', attestationState(words), MEANING),
    ...observed('collateral_ratio', ratioIn(words), MEANING),
    ...observed('attestation_at', isDated ? new Date(dated).toISOString() : null),
    ...observed('redemption_route_state', isOpen ? 'open' : /redemption/i.test(words) ? 'qualified' : null, MEANING),
  ];
}

function attestationState(words: string): string | null {
  const byFirm = /(?:attestation|examination|report)s? by [A-Z]/.test(words);
  if (byFirm && /monthly (?:attestation|report|examination)/i.test(words)) return 'monthly_by_firm';
  if (byFirm && /quarterly (?:attestation|report|examination)/i.test(words)) return 'quarterly';
  if (/attestation|reserves/i.test(words)) return 'self_declared';
  return isFilledIn(words) ? 'none' : null;
}

function ratioIn(words: string): number | null {
  const percent = PERCENT.exec(words)?.[1];
  if (percent !== undefined) return Number((Number(percent) / 100).toFixed(6));
  const ratio = RATIO.exec(words)?.[1];
  return ratio === undefined ? null : Number(ratio);
}

/** Pages with less text (characters) are not assessed. */
const SHORTEST_PAGE = 40;

/** False for a page that is filled by scripts and nearly empty without them, so that missing text proves nothing. */
export function isFilledIn(words: string): boolean {
  return words.length >= SHORTEST_PAGE && !/enable javascript|loading/i.test(words);
}
