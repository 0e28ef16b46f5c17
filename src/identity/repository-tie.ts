import { tellerOf, tiesIn } from '../domain/index.ts';
import { repoParams } from '../sources/index.ts';
import { keysOf } from './asset-of.ts';
import type { Gathered } from './gather.ts';
import type { Answered } from './requests.ts';

const CODE = tellerOf('code');

/**
 * The repository that the site links, when its homepage or its README names the site: then both are in the same hands. Null when
 * there is none, it names another site, or GitHub did not answer. The same ties decide whether its work counts
 * (`sources/github-ties.ts`).
 */
export async function repositoryTie(gathered: Gathered): Promise<string | null> {
  const { site, page, requests } = gathered;
  const [repo] = page.repos;
  if (site.domain === null || repo === undefined) return null;
  const params = repoParams(repo, { registrableDomain: site.domain, address: null, keys: keysOf(null, gathered) });
  const byHomepage = await requests.ask(CODE, 'repo', params, `homepage of the repository ${repo}`);
  if (byHomepage === null || isTied(byHomepage)) return byHomepage === null ? null : repo;
  const byReadme = await requests.ask(CODE, 'readme', params, `README of the repository ${repo}`);
  return byReadme !== null && isTied(byReadme) ? repo : null;
}

function isTied({ observations }: Answered): boolean {
  return observations.some(
    (row) => row.quantity === 'ties' && tiesIn(row.value).some((tie) => tie.state === 'confirmed'),
  );
}
