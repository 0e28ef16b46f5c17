import type { SiteFact } from '../../../domain/index.ts';
import { backingOn } from './backing.ts';
import { conductOn } from './conduct.ts';
import { documentsOn } from './documents.ts';
import { type FactPage, factPage } from './fact-page.ts';
import { legalOn } from './legal.ts';
import { peopleOn } from './people.ts';
import { productOn } from './product.ts';
import { testnetOn } from './testnet.ts';
import { tokenomicsOn } from './tokenomics.ts';

const READERS: readonly ((page: FactPage) => readonly (SiteFact | null)[])[] = [
  peopleOn,
  productOn,
  testnetOn,
  backingOn,
  tokenomicsOn,
  legalOn,
  conductOn,
  documentsOn,
];
const MOST_FACTS = 100;
/** A page that repeats itself says a thing no louder. */
const MOST_OF_A_KIND = 40;

/**
 * The facts one page states, each with its sentence. Pure. English patterns; a page in another language gives fewer facts, never
 * wrong ones for its script. Nothing on a page is followed or obeyed.
 */
export function readFacts(html: string, url: string, project: string): readonly SiteFact[] {
  const page = factPage(html, url, project);
  const found = new Map<string, SiteFact>();
  const counts = new Map<string, number>();
  for (const fact of READERS.flatMap((read) => read(page))) {
    if (fact === null) continue;
    const key = `${fact.kind} ${fact.name ?? ''} ${fact.value ?? ''} ${fact.detail ?? ''}`.toLowerCase();
    const known = found.get(key);
    // The same fact with a place to check it is worth more than without.
    if (known !== undefined && (known.link !== null || fact.link === null)) continue;
    const count = counts.get(fact.kind) ?? 0;
    if (known === undefined && count >= MOST_OF_A_KIND) continue;
    if (known === undefined) counts.set(fact.kind, count + 1);
    found.set(key, fact);
  }
  return [...found.values()].slice(0, MOST_FACTS);
}
