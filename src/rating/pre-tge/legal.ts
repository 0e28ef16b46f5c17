import { absent, type Context } from '../context.ts';
import { basisOf, confirmedAt, confirmedParts, confirmedTies, openTies } from '../ties.ts';
import { byName, type PreTgeInput, type SiteRecord, stated, unstated } from './site-record.ts';

/** LS: audits before launch, entity, jurisdiction, bounty. */
export function legalFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [audits(context, site), entity(context, site), jurisdiction(context, site), bounty(context, site)];
}

/** Audits that a page claims, and those that the firm's own page shows. */
export function auditsOf(context: Context, site: SiteRecord) {
  const claimed = byName(site.of('audit')).length + openTies(context, 'audit').length;
  return { claimed, confirmed: confirmedTies(context, 'audit') };
}

function audits(context: Context, site: SiteRecord): PreTgeInput {
  const { claimed, confirmed } = auditsOf(context, site);
  if (confirmed.length > 0)
    return {
      ...absent('ls_audit', confirmed.length, 'count', confirmedAt(context) * site.credibility, ''),
      status: 'observed',
      parts: confirmedParts(context),
      basis: basisOf(confirmed),
      method: `confirmed at ${confirmed.map((tie) => tie.subject).join(', ')}`,
      credit: site.credibility,
    };
  const method = claimed > 0 ? 'claimed, not confirmed by the firm' : 'no audit on the site or in a registry';
  return unstated(context, site, 'ls_audit', 0, 'count', method);
}

function entity(context: Context, site: SiteRecord): PreTgeInput {
  const rows = site.of('entity');
  const best = rows.find(({ fact }) => fact.detail !== null) ?? rows[0];
  if (best === undefined) return unstated(context, site, 'ls_entity', 'none', 'state', 'no legal entity is named');
  const { name, detail } = best.fact;
  const method = detail === null ? `${name}` : `${name}, number ${detail}`;
  const state = detail === null ? 'named' : 'registered';
  // With its number it can be looked up in the register.
  return stated(context, site, 'ls_entity', state, 'state', detail === null ? 'claimed' : 'linked', [best], method);
}

function jurisdiction(context: Context, site: SiteRecord): PreTgeInput {
  const [first] = site.of('jurisdiction');
  if (first === undefined)
    return unstated(context, site, 'ls_jurisdiction', 'none', 'state', 'no jurisdiction is named');
  const level = site.of('entity').some(({ fact }) => fact.detail !== null) ? 'linked' : 'claimed';
  return stated(context, site, 'ls_jurisdiction', 'stated', 'state', level, [first], String(first.fact.value));
}

/** A bounty on a platform whose own page names the project; any other is words. */
function bounty(context: Context, site: SiteRecord): PreTgeInput {
  const confirmed = confirmedTies(context, 'bounty');
  const [first] = confirmed;
  if (first !== undefined)
    return {
      ...absent('ls_bounty', 'hosted', 'state', confirmedAt(context) * site.credibility, ''),
      status: 'observed',
      parts: confirmedParts(context),
      basis: basisOf(confirmed),
      method: `${first.subject}: ${first.by}`,
      credit: site.credibility,
    };
  const isClaimed = site.of('bounty').length > 0;
  const method = isClaimed ? 'claimed, not confirmed by a platform' : 'no bounty is offered';
  return unstated(context, site, 'ls_bounty', 'none', 'state', method);
}
