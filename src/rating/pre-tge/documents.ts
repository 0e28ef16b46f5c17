import type { Context } from '../context.ts';
import { confirmedFeature, confirmedTies, type KnownTie, openTies } from '../ties.ts';
import { allocationOf } from './contradictions.ts';
import { byName, type PreTgeInput, type SiteRecord, type Statement, stated, unread, unstated } from './site-record.ts';

/** TK: how much of the token plan is disclosed, and how much of the token goes to insiders. */
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
    return { ...unread(context, 'tk_checklist'), method: 'a paper is linked that is not read here' };
  if (met.length === 0) return unstated(site, 'tk_checklist', 0, 'no plan for a token is published');
  const method = `published: ${met.map(([name]) => name).join(', ')}`;
  const support = met.flatMap(([, rows]) => rows);
  // This checks whether the plan is published, not whether it will be kept.
  return stated(site, 'tk_checklist', met.length / items.length, 'linked', support, method);
}

function insiders(context: Context, site: SiteRecord): PreTgeInput {
  const found = allocationOf(context, site);
  if (found === null) return unstated(site, 'tk_insiders', null, 'no allocation is published');
  const method = `team, investors and advisers, of ${Math.round(found.total * 100)} % that the page allots`;
  return stated(
    site,
    'tk_insiders',
    Math.min(1, found.insiders),
    // Only the project can decide how its token is allocated: it is the primary source.
    'linked',
    found.statements,
    method,
  );
}

/** LS: audits before launch, entity, jurisdiction, bounty. */
export function legalFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [audits(context, site), entity(site), jurisdiction(site), bounty(context, site)];
}

/** Audits that a page claims, and those that the firm's own page shows. */
export function auditsOf(context: Context, site: SiteRecord) {
  const claimed = byName(site.of('audit')).length + openTies(context, 'audit').length;
  return { claimed, confirmed: confirmedTies(context, 'audit') };
}

function audits(context: Context, site: SiteRecord): PreTgeInput {
  const { claimed, confirmed } = auditsOf(context, site);
  if (confirmed.length > 0)
    return shown(
      context,
      site,
      'ls_audit',
      confirmed.length,
      confirmed,
      `confirmed at ${confirmed.map((tie) => tie.subject).join(', ')}`,
    );
  const method = claimed > 0 ? 'claimed, not confirmed by the firm' : 'no audit on the site or in a registry';
  return unstated(site, 'ls_audit', 0, method);
}

/** A feature that another party's page confirms. */
function shown(
  context: Context,
  { credibility }: SiteRecord,
  id: string,
  raw: number | string,
  ties: readonly KnownTie[],
  method: string,
): PreTgeInput {
  return { ...confirmedFeature(context, id, raw, ties, method, credibility), credit: credibility };
}

function entity(site: SiteRecord): PreTgeInput {
  const rows = site.of('entity');
  const best = rows.find(({ fact }) => fact.detail !== null) ?? rows[0];
  if (best === undefined) return unstated(site, 'ls_entity', 'none', 'no legal entity is named');
  const { name, detail } = best.fact;
  const method = detail === null ? `${name}` : `${name}, number ${detail}`;
  const state = detail === null ? 'named' : 'registered';
  // The entity can be looked up in the register by its number.
  return stated(site, 'ls_entity', state, detail === null ? 'claimed' : 'linked', [best], method);
}

function jurisdiction(site: SiteRecord): PreTgeInput {
  const [first] = site.of('jurisdiction');
  if (first === undefined) return unstated(site, 'ls_jurisdiction', 'none', 'no jurisdiction is named');
  const level = site.of('entity').some(({ fact }) => fact.detail !== null) ? 'linked' : 'claimed';
  return stated(site, 'ls_jurisdiction', 'stated', level, [first], String(first.fact.value));
}

/** A bounty on a platform whose own page names the project counts; any other is only a claim. */
function bounty(context: Context, site: SiteRecord): PreTgeInput {
  const confirmed = confirmedTies(context, 'bounty');
  const [first] = confirmed;
  if (first !== undefined)
    return shown(context, site, 'ls_bounty', 'hosted', confirmed, `${first.subject}: ${first.by}`);
  const isClaimed = site.of('bounty').length > 0;
  const method = isClaimed ? 'claimed, not confirmed by a platform' : 'no bounty is offered';
  return unstated(site, 'ls_bounty', 'none', method);
}
