import { auditorOf } from './auditors.ts';
import type { Page } from './page.ts';

/** Distinct audit firms a page links to. */
export function auditsOn(page: Page): readonly { readonly firm: string; readonly url: string }[] {
  const found = new Map<string, string>();
  for (const link of page.links) {
    const firm = auditorOf(link.url);
    if (firm && link.kind === 'audit' && !found.has(firm)) found.set(firm, link.url);
  }
  return [...found].map(([firm, url]) => ({ firm, url })).sort((a, b) => (a.firm < b.firm ? -1 : 1));
}

/** The disclosure checklist: one point each, on the landing page or by a link from it. */
const CHECKLIST: readonly (readonly [string, (page: Page) => boolean])[] = [
  ['documents', (page) => has(page, 'docs')],
  ['white paper', (page) => has(page, 'whitepaper')],
  ['tokenomics', (page) => has(page, 'tokenomics')],
  ['team', (page) => has(page, 'team') || page.people > 0],
  ['audits', (page) => has(page, 'audit')],
  ['governance', (page) => has(page, 'governance')],
  ['repository', (page) => has(page, 'github')],
  ['legal terms', (page) => has(page, 'legal')],
  ['social channels', (page) => page.socials.length >= 2],
  ['token address', (page) => page.addresses.length > 0],
];

/** Share of the checklist that is there, 0-1. */
export function disclosureShare(page: Page): number {
  return CHECKLIST.filter(([, met]) => met(page)).length / CHECKLIST.length;
}

function has(page: Page, kind: string): boolean {
  return page.links.some((link) => link.kind === kind);
}
