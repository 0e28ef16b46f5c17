import { registrableDomain } from '../sources/read.ts';
import type { Gathered } from './gather.ts';
import { dig } from './record.ts';

/**
 * The repository that the site links, when it names the site as its homepage: then both are in the same hands. Null when there is
 * none, it names another site, or GitHub did not answer.
 */
export async function repositoryTie({ site, page, questions }: Gathered): Promise<string | null> {
  const [repo] = page.repos;
  if (site.domain === null || repo === undefined) return null;
  const answer = await questions.ask('github', 'repo', { repo }, `homepage of the repository ${repo}`);
  return answer !== null && registrableDomain(dig(answer.reply, 'homepage')) === site.domain ? repo : null;
}
