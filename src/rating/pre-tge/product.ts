import { sourcesFor } from '../../domain/index.ts';
import { absent, booleanOf, type Context, daysSince, numberOf, observed, unknown } from '../context.ts';
import { workFeatures } from '../features/project.ts';
import { basisOf, codeTie, openTies, unconfirmedCode } from '../ties.ts';
import { type PreTgeInput, type SiteRecord, stated, unstated } from './site-record.ts';

const BEST_FIRST = ['mainnet_beta', 'public_testnet', 'closed'];

/** PC: what runs, who works on it, whether the code is original, and how it is documented. */
export function productFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [product(context, site), ...work(context, site), original(context), documents(context, site)];
}

/** Locked value or fees prove a product. A claimed product without a link to it counts as closed. */
function product(context: Context, site: SiteRecord): PreTgeInput {
  const used = [numberOf(context, 'tvl_usd'), numberOf(context, 'fees_30d_usd')].filter((row) => row !== null);
  const [proof] = used.filter((row) => row.value > 0);
  if (proof !== undefined) {
    const least = context.methodology.preTge.evidence.confirmed.confidence;
    return observed('pc_product', 'mainnet_beta', [proof], 'value is locked in it or fees are paid', least);
  }
  const claims = [...site.of('product')].sort((a, b) => rankOf(a.fact.value) - rankOf(b.fact.value));
  const reachable = claims.find(({ fact }) => fact.link !== null);
  const [best] = claims;
  if (reachable !== undefined && reachable.fact.value !== 'closed')
    return stated(
      site,
      'pc_product',
      String(reachable.fact.value),
      'linked',
      [reachable],
      'stated by the site, with a way in',
    );
  if (best !== undefined)
    return stated(site, 'pc_product', 'closed', 'claimed', [best], 'stated by the site; no way in is shown');
  return unstated(site, 'pc_product', 'none', 'no product is stated');
}

function rankOf(state: unknown): number {
  const at = BEST_FIRST.indexOf(String(state));
  return at < 0 ? BEST_FIRST.length : at;
}

/** True when the project's code is public: a repository was read, and is not another project's. */
export function hasPublicCode(context: Context): boolean {
  if (codeTie(context) === 'linked') return false;
  return (
    numberOf(context, 'commits_90d') !== null ||
    daysSince(context, 'last_commit_at') !== null ||
    daysSince(context, 'repo_created_at') !== null
  );
}

function work(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  const { searchedConfidence } = context.methodology.featureRules;
  if (codeTie(context) === 'linked') {
    const basis = basisOf(openTies(context, 'repository'));
    return WORK.map((id) => absent(id, 0, searchedConfidence, unconfirmedCode(context), basis));
  }
  const isClosed = site.isRead && !hasPublicCode(context) && context.input.identification.keys.githubRepos.length === 0;
  const missing = (id: string) =>
    isClosed
      ? absent(id, 0, searchedConfidence, 'the site shows no repository')
      : unknown(context, id, sourcesFor('code'));
  return workFeatures(context, 'pc', missing);
}

const WORK = ['pc_devs', 'pc_commits', 'pc_recency'];

/** A copy made without the fork button is taken for original; the documentation states this limit. */
function original(context: Context): PreTgeInput {
  const { featureRules, preTge } = context.methodology;
  if (codeTie(context) === 'linked')
    return absent('pc_original', 'fork_unmodified', featureRules.searchedConfidence, unconfirmedCode(context));
  const fork = booleanOf(context, 'repo_is_fork');
  if (fork === null) return unknown(context, 'pc_original', sourcesFor('code'));
  if (!fork.value) return observed('pc_original', 'original', [fork], 'the repository is no fork');
  const ahead = numberOf(context, 'repo_ahead_commits');
  if (ahead === null)
    return observed(
      'pc_original',
      'fork_developed',
      [fork],
      'a fork; how far it went on its own is not known',
      preTge.thresholds.unknownForkConfidence,
    );
  const isDeveloped = ahead.value >= preTge.thresholds.forkAheadCommits;
  const method = `a fork, ${ahead.value} commits ahead of its upstream`;
  return observed('pc_original', isDeveloped ? 'fork_developed' : 'fork_unmodified', [fork, ahead], method);
}

function documents(context: Context, site: SiteRecord): PreTgeInput {
  const pages = site.of('documentation');
  const words = pages.reduce((sum, { fact }) => sum + Number(fact.value ?? 0), 0);
  const [elsewhere] = pages.filter(({ fact }) => fact.link !== null);
  const { unreadDocumentWords } = context.methodology.preTge.thresholds;
  if (words === 0 && elsewhere !== undefined)
    return stated(site, 'pc_docs', unreadDocumentWords, 'linked', [elsewhere], 'on another host, linked and not read');
  if (words === 0) return unstated(site, 'pc_docs', 0, 'no documentation found');
  return stated(site, 'pc_docs', words, 'linked', pages, `words on ${pages.length} pages`);
}

/**
 * CT: users of the test network, and signs of purchased attention. Followers and engagement of social networks have no
 * keyless public source; stars of the repository are used instead.
 */
export function communityFeatures(context: Context, site: SiteRecord): readonly PreTgeInput[] {
  return [users(context, site), stars(context), testnetUse(context, site)];
}

/**
 * Transactions that explorers count for the contracts that the site links. Ownership of a contract is not proved: it
 * counts as a claim.
 */
function testnetUse(context: Context, site: SiteRecord): PreTgeInput {
  const linked = [...new Map(site.of('testnet_contract').map((row) => [String(row.fact.value), row])).entries()];
  if (linked.length === 0) return unstated(site, 'ct_testnet', 0, 'the site links no contract on a test network');
  const seen = linked.flatMap(([scope]) => numberOf(context, 'testnet_transactions', scope) ?? []);
  const total = seen.reduce((sum, row) => sum + row.value, 0);
  // If the contracts that were read are unused, that says nothing about the others.
  if (seen.length === 0 || (total === 0 && seen.length < linked.length))
    return { ...unknown(context, 'ct_testnet', sourcesFor('testnet')), isOurs: true };
  const { evidence, thresholds } = context.methodology.preTge;
  const weakest = Math.min(...seen.map((row) => row.confidence));
  const method = `transactions of ${seen.length} of ${linked.length} linked contracts, counted by an explorer`;
  const found = observed(
    'ct_testnet',
    total,
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
  if (seen !== null) return observed('ct_users', seen.value, [seen], 'addresses active on chain in a day');
  const [most] = [...site.of('testnet_users')].sort((a, b) => Number(b.fact.value) - Number(a.fact.value));
  if (most === undefined) return unstated(site, 'ct_users', 0, 'no use of a test network is stated');
  const raw = Number(most.fact.value);
  return stated(site, 'ct_users', raw, 'claimed', [most], 'as the site states');
}

function stars(context: Context): PreTgeInput {
  const count = numberOf(context, 'repo_stars');
  const authors = numberOf(context, 'contributors_90d');
  if (count === null || authors === null) return unknown(context, 'ct_stars', sourcesFor('code'));
  const ratio = count.value / Math.max(1, authors.value);
  const method = `${count.value} stars, ${authors.value} authors in 90 days`;
  // Stars are cheap to buy: far more stars than work counts against a project, and no other number earns anything.
  return { ...observed('ct_stars', ratio, [count, authors], method), credit: 0 };
}
