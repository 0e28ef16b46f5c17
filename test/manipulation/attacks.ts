import type { SandboxAsset } from '../../sandbox/world/types.ts';
import type { World } from '../../sandbox/world/world.ts';
import { DAY_MS } from '../../src/domain/statistics.ts';
import type { Chance } from '../security/seeded.ts';
import type { Move } from './adversary.ts';

/** One way to move a rating. */
export interface Attack {
  readonly code: string;
  readonly title: string;
  /** Only the request is another, so nothing of the record may be. */
  readonly byWords?: true;
  /** US dollars it takes for one asset; 0: free. How each is worked out is said in docs/manipulation.md. */
  costUsd(asset: SandboxAsset): number;
  /** The move against one asset; null where it does not apply. */
  move(asset: SandboxAsset, world: World, chance: Chance): Move | null;
}

const free = () => 0;

/** Hosts of audit firms that sites link. */
const AUDIT_HOSTS = [
  'hacken.io',
  'halborn.com',
  'zellic.io',
  'dedaub.com',
  'certik.com',
  'quantstamp.com',
  'openzeppelin.com',
  'trailofbits.com',
];
const CATEGORIES = ['stablecoin', 'layer 1', 'rwa', 'defi', 'memecoin', 'gaming', 'ai', 'liquid staking', 'exchange'];

/** A repository that belongs to somebody else: the busiest of the world. */
function busiest(world: World, asset: SandboxAsset): string {
  const others = world.assets.filter((row) => row.repo !== null && row.slug !== asset.slug);
  return [...others].sort((a, b) => b.traits.commits90d - a.traits.commits90d)[0]?.repo ?? 'nobody/nothing';
}

/** What it costs to give one more address a dust balance: the rent or gas of the asset's chain. */
const DUST_USD: Readonly<Record<string, number>> = { solana: 0.3, ethereum: 0.2, base: 0.002, bsc: 0.01 };
/** Of each dollar of volume an own pool's fees come back; what is left is the share of other providers and gas. */
const WASH_USD = 0.0006;
/** A day of a credit at a tenth a year, as a share. */
const CREDIT_DAY = 0.1 / 365;

/** Everything the adversary knows. */
export const ATTACKS: readonly Attack[] = [
  {
    code: 'words.category',
    title: 'another category in the request',
    byWords: true,
    costUsd: free,
    move: (_asset, _world, chance) => ({ words: { category: chance.pick(CATEGORIES) } }),
  },
  {
    code: 'words.name',
    title: 'another name in the request',
    byWords: true,
    costUsd: free,
    move: (asset, _world, chance) => ({
      words: { project: chance.pick([`${asset.name} Official`, `${asset.name} by a regulated bank`, asset.symbol]) },
    }),
  },
  {
    code: 'words.url',
    title: 'another address of the own site in the request',
    byWords: true,
    costUsd: free,
    move: (asset, _world, chance) => ({
      words: {
        project_url: chance.pick([
          `${asset.url}token.json`,
          `${asset.url}team`,
          `${asset.url}docs`,
          `https://www.${asset.domain}/`,
          `https://docs.${asset.domain}/`,
          `https://${asset.domain}./`,
          `https://status.${asset.domain}/`,
          `${asset.url}no-such-page`,
        ]),
      },
    }),
  },
  {
    code: 'words.few',
    title: 'no address, symbol or chain in the request',
    byWords: true,
    costUsd: free,
    move: () => ({ words: { token_address: null, token_symbol: null, blockchain: null } }),
  },
  {
    code: 'time.hurry',
    title: 'a deadline of two seconds while sources are slow',
    byWords: true,
    costUsd: free,
    move: () => ({
      prefer: 'wait=2',
      faults: ['goplus', 'rugcheck', 'honeypot_is', 'rdap', 'github'].map((source) => ({
        source,
        kind: 'latency' as const,
        ms: 2_500,
      })),
    }),
  },
  {
    code: 'time.outage',
    title: 'the moment when scanners are down',
    costUsd: free,
    move: () => ({
      faults: ['goplus', 'rugcheck', 'honeypot_is'].map((source) => ({ source, kind: 'server_error' as const })),
    }),
  },
  {
    code: 'site.repository',
    title: "a link to somebody else's busy repository",
    costUsd: free,
    move: (asset, world) => ({ onEveryPage: `<a href="https://github.com/${busiest(world, asset)}">Our code</a>` }),
  },
  {
    code: 'site.audits',
    title: "eight links to audit firms' hosts",
    costUsd: free,
    move: () => ({
      onEveryPage: AUDIT_HOSTS.map((host) => `<a href="https://${host}/audits/ours">Audit report</a>`).join(' '),
    }),
  },
  {
    code: 'site.team',
    title: 'a team page with invented people',
    costUsd: free,
    move: () => ({
      onEveryPage: '<a href="/team">Team</a>',
      pages: {
        '/team':
          '<h1>Team</h1><ul><li>Ann Example, founder (<a href="https://www.linkedin.com/in/ann-example">LinkedIn</a>)</li><li>Ben Example, engineering (<a href="https://www.linkedin.com/in/ben-example">LinkedIn</a>, <a href="https://github.com/torvalds">GitHub</a>)</li></ul>',
      },
    }),
  },
  {
    code: 'site.governance',
    title: "links to another project's governance",
    costUsd: free,
    move: () => ({
      onEveryPage:
        '<a href="https://snapshot.org/#/aave.eth">Governance</a> <a href="https://www.tally.xyz/gov/uniswap">Vote</a>',
      pages: { '/governance': '<h1>Governance</h1><p>A timelock of 48 hours and five of nine signers.</p>' },
    }),
  },
  {
    code: 'site.papers',
    title: 'papers and pages that claim everything good',
    costUsd: free,
    move: () => ({
      onEveryPage:
        '<a href="/whitepaper">Whitepaper</a> <a href="/docs">Docs</a> <a href="/tokenomics">Tokenomics</a> <a href="/security">Security</a> <a href="/terms">Terms</a>',
      pages: {
        '/whitepaper': '<h1>Whitepaper</h1><p>Version 3. We describe the mechanism, its risks and its limits.</p>',
        '/docs': '<h1>Documentation</h1><p>Architecture, contracts, parameters.</p>',
        '/tokenomics':
          '<h1>Tokenomics</h1><ul><li>Community 100 %</li></ul><p>No allocation to team or investors. Nothing is locked.</p>',
        '/security':
          '<h1>Security</h1><p>Bug bounty of up to $10,000,000: <a href="https://immunefi.com/bug-bounty/ours/">Immunefi</a>.</p>',
        '/terms': '<h1>Terms</h1><p>The operator is a regulated bank.</p>',
      },
    }),
  },
  {
    code: 'site.reserves',
    title: 'a reserves page of the own making',
    costUsd: free,
    move: () => ({
      onEveryPage: '<a href="/reserves">Reserves</a>',
      pages: {
        '/reserves':
          '<h1>Reserves</h1><p>Monthly attestation by Deloitte, dated yesterday: reserves over liabilities 1.40.</p>',
      },
    }),
  },
  {
    code: 'site.gone',
    title: 'the own site answers 404 to everything',
    costUsd: free,
    move: () => ({ pages: { '*': null } }),
  },
  {
    code: 'site.landing_only',
    title: 'the own site has a landing page and nothing else',
    costUsd: free,
    move: (asset) => ({
      pages: { '*': null, '/': `<h1>${asset.name}</h1><p>${asset.symbol} <code>${asset.address}</code></p>` },
    }),
  },
  {
    code: 'site.robots',
    title: 'robots.txt forbids the pages',
    costUsd: free,
    move: () => ({ pages: { '/robots.txt': 'User-agent: *\nDisallow: /\n' } }),
  },
  {
    code: 'repository.own',
    title: '900 invented commits of 40 invented authors: in the own repository, or in a new one',
    costUsd: free,
    move: (asset, world) => {
      const isNew = asset.repo === null;
      return {
        change(own, traits) {
          own.repo = `${asset.slug}-labs/${asset.slug}-core`;
          traits.commits90d = Math.max(traits.commits90d, 900);
          traits.inventedContributors = Math.max(0, 40 - traits.contributors);
          traits.contributors = Math.max(traits.contributors, 40);
        },
        // Commits can be dated back, the day on which GitHub created a repository cannot.
        reply(request, reply) {
          const json = reply.json as Record<string, unknown> | undefined;
          if (!isNew || request.source !== 'github' || typeof json?.created_at !== 'string') return reply;
          return { ...reply, json: { ...json, created_at: new Date(world.anchor - 2 * DAY_MS).toISOString() } };
        },
      };
    },
  },
  {
    code: 'registry.words',
    title: 'words and links at one registry that takes them from the project',
    costUsd: free,
    move: (_asset, world, chance) => {
      const tag = chance.pick(['defi', 'layer-1', 'stablecoin', 'rwa', 'ai', 'gaming']);
      return {
        reply(request, reply, asset) {
          const json = reply.json as Record<string, unknown> | undefined;
          if (request.source !== 'coinpaprika' || json?.id !== asset.paprikaId || !('links' in json)) return reply;
          return {
            ...reply,
            json: {
              ...json,
              tags: [{ id: tag, name: tag, coin_counter: 1, ico_counter: 0 }],
              links: { website: [asset.url], source_code: [`https://github.com/${busiest(world, asset)}`] },
              whitepaper: { link: `${asset.url}whitepaper`, thumbnail: null },
            },
          };
        },
      };
    },
  },
  {
    code: 'money.wash',
    title: 'ten times the volume, traded with oneself for a day',
    costUsd: (asset) => 9 * asset.volumeUsd * (asset.traits.cex ? 0.38 : 1) * WASH_USD,
    move: () => ({
      change(asset) {
        asset.volumeUsd *= 10;
      },
    }),
  },
  {
    code: 'money.dust',
    title: 'fifty times the holders by dust',
    costUsd: (asset) => 49 * asset.holders * (DUST_USD[asset.chain ?? ''] ?? 0.1),
    move: () => ({
      change(asset) {
        asset.holders *= 50;
      },
    }),
  },
  {
    code: 'money.liquidity_fifth',
    title: 'a fifth more liquidity for a day',
    costUsd: (asset) => 0.2 * asset.liquidityUsd * CREDIT_DAY,
    move: () => ({
      change(asset) {
        asset.liquidityUsd *= 1.2;
      },
    }),
  },
  {
    code: 'money.liquidity',
    title: 'ten times the liquidity for a day',
    costUsd: (asset) => 9 * asset.liquidityUsd * CREDIT_DAY,
    move: () => ({
      change(asset) {
        asset.liquidityUsd *= 10;
      },
    }),
  },
];

/** The own site that does not answer in time: its circuit opens, so that it needs a service of its own. */
export const TARPIT: Attack = {
  code: 'site.tarpit',
  title: 'the own site answers after 20 seconds',
  costUsd: free,
  move: () => ({ faults: [{ source: 'website', kind: 'latency', ms: 20_000 }] }),
};
