import { tiesIn } from '../domain/tie.ts';
import { repoParams } from '../sources/github-ties.ts';
import { keysOf } from './asset-of.ts';
import type { Gathered } from './gather.ts';

/**
 * The repository that the site links, when it names the site as its homepage: then both are in the same hands. Null when there is
 * none, it names another site, or GitHub did not answer. The same tie decides whether its work counts (`sources/github-ties.ts`).
 */
export async function repositoryTie(gathered: Gathered): Promise<string | null> {
  const { site, page, questions } = gathered;
  const [repo] = page.repos;
  if (site.domain === null || repo === undefined) return null;
  const params = repoParams(repo, { registrableDomain: site.domain, address: null, keys: keysOf(null, gathered) });
  const answer = await questions.ask('github', 'repo', params, `homepage of the repository ${repo}`);
  const isTied = answer?.observations.some(
    (row) => row.quantity === 'ties' && tiesIn(row.value).some((tie) => tie.state === 'confirmed'),
  );
  return isTied === true ? repo : null;
}
