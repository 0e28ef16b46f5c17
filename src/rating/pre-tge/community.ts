import { tellersOf } from '../../domain/index.ts';
import { type Context, numberOf, observed, unknown } from '../context.ts';
import { type PreTgeInput, type SiteRecord, stated, unstated } from './site-record.ts';

/**
 * CT: users of the test network and signs of bought attention. Followers and engagement of social networks have no keyless public
 * source; stars of the code stand in for them.
 */
export function communityFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [users(context, site), stars(context), testnetUse(context, site)];
}

/** What explorers count of the contracts that the site links. Nobody proves whose a contract is: it is believed like a claim. */
function testnetUse(context: Context, site: SiteRecord): PreTgeInput {
  const linked = [...new Map(site.of('testnet_contract').map((row) => [String(row.fact.value), row])).entries()];
  if (linked.length === 0)
    return unstated(context, site, 'ct_testnet', 0, 'count', 'the site links no contract on a test network');
  const seen = linked.flatMap(([scope]) => numberOf(context, 'testnet_transactions', scope) ?? []);
  const total = seen.reduce((sum, row) => sum + row.value, 0);
  // Nothing on the contracts that were read says nothing of those that were not.
  if (seen.length === 0 || (total === 0 && seen.length < linked.length))
    return { ...unknown(context, 'ct_testnet', 'count', tellersOf('testnet')), isOurs: true };
  const { evidence, thresholds } = context.methodology.preTge;
  const weakest = Math.min(...seen.map((row) => row.confidence));
  const method = `transactions of ${seen.length} of ${linked.length} linked contracts, counted by an explorer`;
  const found = observed(
    'ct_testnet',
    total,
    'count',
    seen,
    method,
    Math.min(evidence.claimed.confidence, weakest) * site.credibility,
  );
  return {
    ...found,
    credit: thresholds.bareClaimShare,
    basis: [...new Set([...found.basis, ...linked.map(([, row]) => row.key)])].sort(),
  };
}

function users(context: Context, site: SiteRecord): PreTgeInput {
  const seen = numberOf(context, 'active_addresses_24h');
  if (seen !== null) return observed('ct_users', seen.value, 'count', [seen], 'addresses active on chain in a day');
  const [most] = [...site.of('testnet_users')].sort((a, b) => Number(b.fact.value) - Number(a.fact.value));
  if (most === undefined) return unstated(context, site, 'ct_users', 0, 'count', 'no use of a test network is stated');
  const raw = Number(most.fact.value);
  return stated(context, site, 'ct_users', raw, 'count', 'claimed', [most], 'as the site states');
}

function stars(context: Context): PreTgeInput {
  const count = numberOf(context, 'repo_stars');
  const authors = numberOf(context, 'contributors_90d');
  if (count === null || authors === null) return unknown(context, 'ct_stars', 'ratio', tellersOf('code'));
  const ratio = count.value / Math.max(1, authors.value);
  const method = `${count.value} stars, ${authors.value} authors in 90 days`;
  // Stars are sold for cents: far more of them than of work counts against a project, any other number earns nothing.
  return { ...observed('ct_stars', ratio, 'ratio', [count, authors], method), credit: 0 };
}
