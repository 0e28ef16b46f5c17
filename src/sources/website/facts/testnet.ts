import type { SiteFact } from '../../../domain/index.ts';
import { testnetAddress, testnetScope } from '../../testnets.ts';
import { type FactPage, factOf } from './fact-page.ts';

/** Most contracts of one page. */
const MOST_CONTRACTS = 4;

/** Contracts on public test networks that the page links, each with the words around the link. `value` is the scope of its use. */
export function testnetOn(page: FactPage): readonly (SiteFact | null)[] {
  const found = new Map<string, SiteFact | null>();
  for (const block of page.sections.flatMap((section) => section.blocks))
    for (const { url, label } of block.links) {
      const named = testnetAddress(url);
      if (named === null || found.size >= MOST_CONTRACTS) continue;
      const scope = testnetScope(named);
      if (!found.has(scope))
        found.set(scope, factOf(page, 'testnet_contract', block.text || label || url, { value: scope, link: url }));
    }
  return [...found.values()];
}
