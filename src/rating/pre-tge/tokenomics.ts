import type { Context } from '../context.ts';
import { allocationOf } from './allocation.ts';
import { type PreTgeInput, type SiteRecord, type Statement, stated, unread, unstated } from './site-record.ts';

/** TK: how much of the plan for the token is laid open, and how much of it goes to insiders. */
export function tokenomicsFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [checklist(context, site), insiders(context, site)];
}

function checklist(context: Context, site: SiteRecord): PreTgeInput {
  const items: readonly (readonly [string, readonly Statement[]])[] = [
    ['supply', site.of('supply')],
    ['allocation', allocationOf(context, site)?.statements ?? []],
    ['vesting', site.of('vesting')],
    ['utility', site.of('utility')],
    ['date', site.of('tge_date')],
  ];
  const met = items.filter(([, rows]) => rows.length > 0);
  const [paper] = site.of('unread_paper');
  if (met.length === 0 && paper !== undefined)
    return { ...unread(context, 'tk_checklist', 'fraction'), method: 'a paper is linked that is not read here' };
  if (met.length === 0)
    return unstated(context, site, 'tk_checklist', 0, 'fraction', 'no plan for a token is published');
  const method = `published: ${met.map(([name]) => name).join(', ')}`;
  const support = met.flatMap(([, rows]) => rows);
  // Whether a thing is published is plain to see; whether it will be kept is not asked here.
  return stated(context, site, 'tk_checklist', met.length / items.length, 'fraction', 'linked', support, method);
}

function insiders(context: Context, site: SiteRecord): PreTgeInput {
  const found = allocationOf(context, site);
  if (found === null) return unstated(context, site, 'tk_insiders', null, 'fraction', 'no allocation is published');
  const method = `team, investors and advisers, of ${Math.round(found.total * 100)} % that the page allots`;
  return stated(
    context,
    site,
    'tk_insiders',
    Math.min(1, found.insiders),
    'fraction',
    // Only the project can say how it will share out its token: this is its word at first hand.
    'linked',
    found.statements,
    method,
  );
}
