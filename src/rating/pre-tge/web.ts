import { sourcesFor } from '../../domain/index.ts';
import {
  absent,
  booleanOf,
  type Context,
  consensusOf,
  daysSince,
  fieldsOf,
  isHardened,
  observed,
  readOr,
  textOf,
  unknown,
} from '../context.ts';
import { type PreTgeInput, type SiteRecord, stated, unread } from './site-record.ts';

const MAIL_POLICIES: ReadonlySet<string> = new Set(['quarantine', 'reject']);

/** WI: age of the domain, certificate and mail policy, whether others link back, and whether the site is a copy. */
export function webFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  const age = daysSince(context, 'domain_registered_at');
  return [
    readOr(context, 'wi_age', age, 'since the registration of the domain', sourcesFor('domain_registration')),
    certificate(context),
    socials(context, site),
    clone(context, site),
  ];
}

function certificate(context: Context): PreTgeInput {
  const valid = booleanOf(context, 'tls_valid');
  if (valid === null) return unknown(context, 'wi_certificate', sourcesFor('certificate'));
  const policy = textOf(context, 'dmarc_policy');
  const signed = booleanOf(context, 'dnssec');
  const isGuarded = signed?.value === true || (policy !== null && MAIL_POLICIES.has(policy.value));
  const state = !valid.value ? 'invalid' : isGuarded ? 'valid_with_policy' : 'valid';
  const support = [valid, ...(isGuarded ? [policy, signed].filter((row) => row !== null) : [])];
  return observed('wi_certificate', state, support, 'certificate, DMARC policy and DNSSEC');
}

function socials(context: Context, site: SiteRecord): PreTgeInput {
  const own = handlesAt(context, 'registry:website');
  const others = handlesAt(context, 'registry:defillama');
  const isProven = context.input.identification.links.some((link) => link.kind === 'ownership_proof');
  const isTied = isProven || context.input.identification.links.some((link) => link.kind === 'socials_agree');
  const kindOf = (handle: string) => handle.split(':')[0];
  const agreed = own.filter((handle) => others.includes(handle));
  const kinds = new Set(others.map(kindOf));
  const differing = own.filter((handle) => kinds.has(kindOf(handle)) && !others.includes(handle));
  // A right channel beside a wrong one is what a copied or hijacked site shows.
  const isPartial =
    isHardened(context) &&
    !isProven &&
    differing.some((handle) => !agreed.some((other) => kindOf(other) === kindOf(handle)));
  if (own.length === 0)
    return site.isRead
      ? absent(
          'wi_social',
          'none',
          context.methodology.preTge.evidence.searched.confidence,
          'the site links no channel',
        )
      : unread(context, 'wi_social');
  const isBoth = agreed.length > 0 || isTied;
  const state = isBoth && !isPartial ? 'both_ways' : !isBoth && differing.length > 0 ? 'contradicting' : 'one_way';
  const words =
    state === 'both_ways'
      ? 'a registry or a repository of the project names the same'
      : state === 'contradicting'
        ? 'a registry names another handle'
        : isBoth
          ? 'a registry names some of these channels, and another handle for others'
          : 'nobody else names these channels';
  return stated(site, 'wi_social', state, state === 'one_way' ? 'claimed' : 'linked', [], words);
}

function handlesAt(context: Context, scope: string): readonly string[] {
  const { value } = consensusOf(context, 'registry_socials', scope) ?? { value: null };
  return (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((row) => {
    const { kind, handle } = fieldsOf(row);
    return typeof kind === 'string' && typeof handle === 'string' ? [`${kind}:${handle.toLowerCase()}`] : [];
  });
}

function clone(context: Context, site: SiteRecord): PreTgeInput {
  const confusable = context.input.identification.contradictions.find((row) => row.kind === 'confusable_domain');
  const copied = site.of('other_project');
  const level = 'linked';
  if (confusable !== undefined) return stated(site, 'wi_clone', 'confusable', level, [], confusable.detail);
  if (!site.isRead) return unread(context, 'wi_clone');
  const [first] = copied;
  return first === undefined
    ? stated(site, 'wi_clone', 'none_found', level, [], 'no look-alike among known domains, no foreign paper')
    : stated(site, 'wi_clone', 'copied_text', level, copied, `a paper on the site presents ${first.fact.name}`);
}
