import type { IdentityContradiction } from '../domain/index.ts';
import { DAY_MS, tellerOf } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { sorted } from '../sources/index.ts';
import { confusableWith } from './domains.ts';
import type { Gathered } from './gather.ts';
import type { Judged } from './match.ts';
import { PROJECT_REGISTRIES } from './registries.ts';

const SITE = tellerOf('site');

/**
 * What speaks against the chosen token (methodology 2.1), factors from the methodology. `rivals` are the other tokens tied to
 * the same domain that answer to the request's words as well; sister tokens of one project under other names are none.
 * `listedInstead`: tokens under other words that registries tie to the domain more strongly than the chosen one.
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
  const others = requests.anyAnswer();
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
      : [make('confusable_domain', `${site.domain} can be taken for ${twin}`, [...PROJECT_REGISTRIES, SITE])]),
    ...(page.dead && others ? [make('site_dead', `${site.host} does not answer with a page`, [SITE])] : []),
    ...(young === null ? [] : [make('domain_younger_than_token', young, [tellerOf('domain_registration')])]),
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

/** A domain much younger than the token that it is said to belong to (methodology 2.1). */
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
