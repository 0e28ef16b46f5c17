import {
  DAY_MS,
  type IdentityContradiction,
  type IdentityLink,
  type ScoreRequest,
  sourceFor,
  type TokenRecord,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { plainSymbol, sorted } from '../sources/index.ts';
import { type Candidate, coinIdOf, PROJECT_REGISTRIES } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { compareNames, confusableWith, labelOf, plainName, type SitePage } from './sites.ts';

const SITE = sourceFor('site');

/** A candidate with its ties to the project's website. */
export interface Judged {
  readonly candidate: Candidate;
  readonly links: readonly IdentityLink[];
  /**
   * True when the website, a curated listing or on-chain metadata ties the token to the domain. Equal names, symbols or
   * handles and paid profiles are no such tie.
   */
  readonly anchored: boolean;
  /** True when the anchor is more than metadata, which a token's creator can write freely. */
  readonly strong: boolean;
  /** Number of lineage groups of curated registries that list it with the domain. */
  readonly listedBy: number;
  /** True when the landing page shows it. */
  readonly shown: boolean;
  /** Domains that curated registries state for the token when none of them states this one; otherwise []. */
  readonly elsewhere: readonly string[];
  /** True when only a self-set market profile names the domain. */
  readonly profileOnly: boolean;
  readonly name: 'same' | 'alike' | 'other';
  /** Null when the caller gave no symbol. */
  readonly symbolFits: boolean | null;
  /** Points for website and listings only, without words, handles and profiles. */
  readonly proof: number;
  /** Points for ranking candidates. */
  readonly points: number;
}

/**
 * Determines the links between candidate, website and registries, at most one per kind. Their strengths come from the
 * methodology.
 */
export function judge(
  candidate: Candidate,
  request: ScoreRequest,
  gathered: Gathered,
  methodology: Methodology,
): Judged {
  const { site, page } = gathered;
  const name = bestName(candidate, request.project);
  const wanted = plainSymbol(request.tokenSymbol);
  const symbolFits = wanted === null ? null : candidate.records.some((record) => record.symbol === wanted);
  const curated = candidate.records.filter((record) => record.curated);
  const listing = site.domain === null ? [] : curated.filter((record) => record.domains.includes(site.domain ?? ''));
  const shown = shownPlace(candidate, page, site.host, listing.length > 0);
  const metadata = candidate.places.filter(
    (place) => site.domain !== null && gathered.metadata.get(place)?.domains.includes(site.domain),
  );
  const handles = sorted(curated.flatMap((record) => record.socials)).filter((handle) => page.socials.includes(handle));
  const named = onePerGroup(curated.filter((record) => fits(record, request.project, wanted)));
  const link = (kind: IdentityLink['kind'], detail: string, sources: readonly string[]): IdentityLink => ({
    kind,
    strength: methodology.trust.linkStrengths[kind],
    detail,
    sources: sorted(sources),
  });
  const coin = coinIdOf(candidate);
  const links = [
    ...(shown === null ? [] : [link('site_shows_token', `${site.host} shows ${shown}`, [SITE])]),
    ...(coin === null
      ? []
      : [
          link(
            'registry_of_natives',
            `the register of natives lists it as the coin ${coin}`,
            curated.filter((record) => record.coin === coin).map((record) => record.source),
          ),
        ]),
    ...(listing.length === 0
      ? []
      : [
          link(
            'registry_lists_domain',
            `listed with the website ${site.domain}`,
            listing.map((record) => record.source),
          ),
        ]),
    ...(metadata.length === 0
      ? []
      : [
          link('metadata_names_domain', `on-chain metadata of ${metadata[0]} names ${site.domain}`, [
            gathered.metadata.get(metadata[0] ?? '')?.source ?? '',
          ]),
        ]),
    ...(handles.length === 0
      ? []
      : [
          link('socials_agree', `the website and the registries name ${handles.slice(0, 3).join(', ')}`, [
            SITE,
            ...curated
              .filter((record) => record.socials.some((handle) => handles.includes(handle)))
              .map((record) => record.source),
          ]),
        ]),
    ...(named.length < 2
      ? []
      : [
          link(
            'name_symbol_match',
            'name and symbol agree in two registries or more',
            named.map((row) => row.source),
          ),
        ]),
  ];
  const profile = candidate.records.some(
    (record) => !record.curated && site.domain !== null && record.domains.includes(site.domain),
  );
  const domains = sorted(curated.flatMap((record) => record.domains));
  // Any page can print any token's address. That proves nothing if registries know the token's website and it is
  // another.
  const elsewhere = listing.length === 0 ? domains : [];
  // Sites link to many tokens (for example a swap into USDC). A token counts as the site's own only if it matches the
  // caller's words or address.
  const meant =
    name !== 'other' || symbolFits === true || candidate.places.some((place) => gathered.callerPlaces.includes(place));
  const strong = listing.length > 0 || (shown !== null && elsewhere.length === 0 && meant);
  const claimed = strong || (metadata.length > 0 && elsewhere.length === 0);
  const proof =
    (shown === null ? 0 : 4) +
    (listing.some((record) => !record.ofProject) ? 4 : 0) +
    (listing.some((record) => record.ofProject) ? 3 : 0);
  return {
    candidate,
    links,
    anchored: claimed,
    strong,
    listedBy: onePerGroup(listing).length,
    shown: shown !== null,
    elsewhere,
    profileOnly: profile && !claimed && elsewhere.length === 0,
    name,
    symbolFits,
    proof,
    points:
      proof +
      (handles.length > 0 ? 2 : 0) +
      (sharedPlace(candidate) ? 3 : 0) +
      (name === 'same' ? 2 : name === 'alike' ? 1 : 0) +
      (symbolFits === true ? 1 : 0) +
      (profile ? 1 : 0),
  };
}

/** M of methodology 2.1: noisy-or of the links, multiplied by the factors of the contradictions. 0-1, six decimals. */
export function matchOf(links: readonly IdentityLink[], contradictions: readonly IdentityContradiction[]): number {
  const doubt = links.reduce((product, link) => product * (1 - link.strength), 1);
  const factor = contradictions.reduce((product, row) => product * row.factor, 1);
  return Math.round((1 - doubt) * factor * 1e6) / 1e6;
}

// A page that prints many addresses is a list of tokens, not a statement about one.
const MOST_OWN_ADDRESSES = 5;

/**
 * The candidate's place that a landing page shows. Null when it shows none. A page with many addresses is a list of
 * tokens and counts only if registries list the candidate with the site or the site has the candidate's name.
 */
export function shownPlace(candidate: Candidate, page: SitePage, host: string, isListed: boolean): string | null {
  const shown = candidate.places.find((place) => page.places.includes(place)) ?? null;
  const distinct = new Set(page.places.map((place) => place.split(':')[1])).size;
  if (distinct <= MOST_OWN_ADDRESSES || isListed) return shown;
  const names = [page.siteName ?? page.title ?? '', labelOf(host.replace(/^www\./, ''))];
  return names.some((name) => compareNames(name, candidate.name) !== 'other') ? shown : null;
}

function fits(record: TokenRecord, project: string, symbol: string | null): boolean {
  const bears = record.symbol;
  return compareNames(project, record.name) !== 'other' && (symbol === null || bears === symbol);
}

/** One record of each lineage group. */
export function onePerGroup(records: readonly TokenRecord[]): readonly TokenRecord[] {
  return [...new Map(records.map((record) => [record.family, record])).values()];
}

function bestName(candidate: Candidate, project: string): Judged['name'] {
  const words = candidate.records.map((record) => compareNames(project, record.name));
  // A project known by its ticker (`project: "USDC"`) names the token by it.
  if (words.includes('same') || plainName(project).toUpperCase() === candidate.symbol) return 'same';
  return words.includes('alike') ? 'alike' : 'other';
}

/** True when two or more lineage groups name the same address. */
function sharedPlace(candidate: Candidate): boolean {
  return candidate.places.some(
    (place) => onePerGroup(candidate.records.filter((record) => record.addresses.includes(place))).length >= 2,
  );
}

/**
 * Contradictions against the chosen token (methodology 2.1), with factors from the methodology. `rivals`: other tokens
 * tied to the same domain that also match the request's words; tokens of the same project with other names are not
 * rivals. `listedInstead`: tokens with other names that registries tie to the domain more strongly than the chosen one.
 */
export function contradictionsOf(
  chosen: Judged | null,
  rivals: readonly Judged[],
  gathered: Gathered,
  methodology: Methodology,
  now: string,
  listedInstead: readonly Judged[] = [],
): readonly IdentityContradiction[] {
  const { site, page, requests } = gathered;
  const limits = methodology.trust.contradictionLimits;
  const make = (
    kind: IdentityContradiction['kind'],
    detail: string,
    sources: readonly string[],
  ): IdentityContradiction => ({
    kind,
    factor: methodology.trust.contradictionFactors[kind],
    detail,
    sources: sorted(sources),
  });
  const higher = chosen === null ? undefined : rivals.find((rival) => rival.strong && ranksHigher(rival, chosen));
  const listed = chosen?.links.some((link) => link.kind === 'registry_lists_domain') === true;
  const ranked = gathered.records.filter(
    (record) => record.curated && record.rank !== null && record.rank <= limits.wellKnownRank,
  );
  const known = [...gathered.knownDomains, ...ranked.flatMap((record) => record.domains)];
  const twin = site.domain === null || listed ? null : confusableWith(site.domain, [...new Set(known)].sort());
  const young = chosen === null ? null : youngDomain(chosen, gathered.domainRegisteredAt, now, limits);
  const others = requests.hasAnyReply();
  const claimants = [...rivals, ...listedInstead];
  return [
    ...(higher
      ? [
          make(
            'higher_ranked_claims_domain',
            `${nameOf(higher)} ranks higher and is listed with the same website`,
            sourcesOf(higher),
          ),
        ]
      : []),
    ...(twin === null
      ? []
      : [make('confusable_domain', `${site.domain} can be mistaken for ${twin}`, [...PROJECT_REGISTRIES, SITE])]),
    ...(page.dead && others ? [make('site_dead', `${site.host} does not return a page`, [SITE])] : []),
    ...(young === null ? [] : [make('domain_younger_than_token', young, [sourceFor('domain_registration')])]),
    ...(claimants.length === 0
      ? []
      : [
          make(
            'two_tokens_claim_site',
            `${claimants.map(nameOf).slice(0, 3).join(', ')} ${claimants.length === 1 ? 'claims' : 'claim'} the same website`,
            claimants.flatMap(sourcesOf),
          ),
        ]),
  ];
}

function ranksHigher(rival: Judged, chosen: Judged): boolean {
  const [theirs, ours] = [rival.candidate.rank, chosen.candidate.rank];
  return theirs !== null && (ours === null || theirs < ours);
}

/** Describes a domain that is much younger than the token it is said to belong to (methodology 2.1); null otherwise. */
function youngDomain(
  chosen: Judged,
  registeredAt: string | null,
  now: string,
  limits: Methodology['trust']['contradictionLimits'],
): string | null {
  const [since] = sorted(chosen.candidate.records.map((record) => record.since));
  if (registeredAt === null || since === undefined) return null;
  const domainDays = (Date.parse(now) - Date.parse(registeredAt)) / DAY_MS;
  const tokenDays = (Date.parse(now) - Date.parse(since)) / DAY_MS;
  return domainDays >= 0 && domainDays < limits.youngDomainDays && tokenDays > limits.oldTokenDays
    ? `the domain was registered ${Math.floor(domainDays)} days ago, the token is known since ${since.slice(0, 10)}`
    : null;
}

function nameOf({ candidate }: Judged): string {
  return `${candidate.symbol ?? candidate.name ?? 'a token'} (${candidate.key})`;
}

function sourcesOf({ candidate }: Judged): readonly string[] {
  return candidate.records.map((record) => record.source);
}
