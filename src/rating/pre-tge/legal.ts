import { type Context, consensusOf } from '../context.ts';
import { byName, type PreTgeInput, type SiteRecord, stated, unstated } from './site-record.ts';

/** LS: audits before launch, entity, jurisdiction, bounty. */
export function legalFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [audits(context, site), entity(context, site), jurisdiction(context, site), bounty(context, site)];
}

/** Audits by who vouches for them: the site alone, the site with a report, a registry. */
export function auditsOf(context: Context, site: SiteRecord) {
  const named = byName(site.of('audit'));
  const registry = Math.max(
    0,
    ...(consensusOf(context, 'audits_count')?.voices ?? [])
      .filter((voice) => voice.source !== 'website' && typeof voice.value === 'number')
      .map((voice) => Number(voice.value)),
  );
  return { named, linked: named.filter(({ fact }) => fact.link !== null), registry };
}

function audits(context: Context, site: SiteRecord): PreTgeInput {
  const { named, linked, registry } = auditsOf(context, site);
  const { bareClaimShare } = context.methodology.preTge.thresholds;
  const bare = named.length - linked.length;
  const count = Math.max(linked.length, registry) + bare * bareClaimShare;
  if (count === 0) return unstated(context, site, 'ls_audit', 0, 'count', 'no audit on the site or in a registry');
  const level = registry > 0 ? 'confirmed' : linked.length > 0 ? 'linked' : 'claimed';
  const method = `${linked.length} with a link to the firm, ${bare} only named, ${registry} in registries`;
  return stated(context, site, 'ls_audit', count, 'count', level, named, method);
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

function bounty(context: Context, site: SiteRecord): PreTgeInput {
  const rows = site.of('bounty');
  const best = rows.find(({ fact }) => fact.value === 'hosted') ?? rows[0];
  if (best === undefined) return unstated(context, site, 'ls_bounty', 'none', 'state', 'no bounty is offered');
  const isHosted = best.fact.value === 'hosted';
  const method = isHosted ? 'on a platform that pays bounties out' : 'on the site alone';
  return stated(
    context,
    site,
    'ls_bounty',
    isHosted ? 'hosted' : 'own',
    'state',
    isHosted ? 'linked' : 'claimed',
    [best],
    method,
  );
}
