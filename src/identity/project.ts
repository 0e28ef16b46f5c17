import type { Identification, IdentityLink, ScoreRequest } from '../domain/index.ts';
import { sourceFor } from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { sorted } from '../sources/index.ts';
import { assetOf } from './asset-of.ts';
import { TOKEN_REGISTRIES } from './candidates.ts';
import { type Identified, projectRecord } from './canonical.ts';
import type { Gathered } from './gather.ts';
import { contradictionsOf, matchOf } from './match.ts';
import { labelOf, plainName } from './sites.ts';

const [SITE, CODE] = [sourceFor('site'), sourceFor('code')];
const SHORTEST_NAME = 3;

/**
 * Identifies a project that has no token: a registry ties it to the domain and lists no token, or the caller requests
 * the pre-TGE model and the website has the project's name. `repository`: one that the site links and that names the
 * site. The absence of a token counts only if a token registry replied.
 */
export function identifyProject(
  request: ScoreRequest,
  gathered: Gathered,
  methodology: Methodology,
  now: string,
  rejected: Identification['rejected'],
  repository: string | null = null,
):
  | { readonly ok: true; readonly identification: Identified }
  | { readonly ok: false; readonly words: readonly string[] } {
  const { site, page, protocols, requests } = gathered;
  const preTge = request.type.toLowerCase() === 'pretge';
  if (site.domain === null)
    return {
      ok: false,
      words: [
        site.host === ''
          ? 'no website was given, and a project without a token is identified by its website'
          : `${site.host} is shared by many projects and identifies none`,
      ],
    };
  const known = protocols.filter((row) => preTge || !row.hasToken);
  const titled = preTge && page.read && isTitled(page, request.project, site.domain);
  if (known.length === 0 && !titled)
    return { ok: false, words: ['no registry that answered ties a project to this domain'] };
  if (!preTge && !TOKEN_REGISTRIES.some((source) => requests.hasReplyFrom(source)))
    return {
      ok: false,
      words: ['DefiLlama lists the project without a token, but no token registry answered to confirm that'],
    };
  if (!preTge && request.tokenAddress !== null)
    return {
      ok: false,
      words: ['the registries list the project without a token, and nothing ties the given address to it'],
    };
  const links = linksOf(gathered, known.length > 0, titled, repository, methodology);
  const contradictions = contradictionsOf(null, [], gathered, methodology, now);
  const canonical = projectRecord(site.domain, gathered, now);
  const identification: Identified = {
    asset: assetOf(canonical),
    stage: 'pre_tge',
    registrableDomain: site.domain,
    keys: canonical.keys,
    match: matchOf(links, contradictions),
    links,
    contradictions,
    rejected,
    notes:
      preTge && rejected.length > 0
        ? ['the pre-TGE model was requested; tokens that were found are set aside']
        : ['no token was found for the project'],
    foreignResponses: [],
    canonical,
  };
  return { ok: true, identification };
}

function linksOf(
  { site, page, protocols }: Gathered,
  listed: boolean,
  titled: boolean,
  repository: string | null,
  methodology: Methodology,
): readonly IdentityLink[] {
  const strengths = methodology.trust.linkStrengths;
  const handles = sorted(protocols.flatMap((row) => row.socials)).filter((handle) => page.socials.includes(handle));
  const registries = sorted(protocols.map((row) => row.source));
  const link = (kind: IdentityLink['kind'], detail: string, sources: readonly string[]) => ({
    kind,
    strength: strengths[kind] ?? 0,
    detail,
    sources,
  });
  return [
    ...(listed ? [link('registry_lists_domain', `listed with the website ${site.domain}`, registries)] : []),
    ...(handles.length > 0
      ? [link('socials_agree', `the website and the registry name ${handles[0]}`, [...registries, SITE])]
      : []),
    ...(repository === null
      ? []
      : [link('ownership_proof', `the repository ${repository} names ${site.domain}`, [CODE])]),
    // Without a token there is no second registry to request; the site's own title is the weakest tie.
    ...(titled ? [link('name_symbol_match', 'the title of the website contains the name', [SITE])] : []),
  ];
}

/**
 * True when the page has the project's name in its title or site name. For a project known only by its domain, the
 * label of the domain is compared.
 */
function isTitled(page: Gathered['page'], project: string, domain: string): boolean {
  const name = plainName(project === domain ? labelOf(domain) : project);
  return (
    name.length >= SHORTEST_NAME &&
    [page.title, page.siteName].some((title) => title !== null && plainName(title).includes(name))
  );
}
