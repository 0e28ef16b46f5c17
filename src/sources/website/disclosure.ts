import { DISCLOSURE_ITEMS } from '../../domain/index.ts';
import type { Page } from './page.ts';

/**
 * What a page of the disclosure checklist can show by itself, one point each. The other four items, repository, audit, governance
 * and team, count by their ties (`rating/ties.ts`): a link to somebody else is free.
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
