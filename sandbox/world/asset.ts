import { evmAddress, solanaAccount, solanaWallet } from './addresses.ts';
import { AUDIT_FIRMS } from './firms.ts';
import { buildPools } from './pools.ts';
import { seededUnit } from './random.ts';
import type { AssetSpec, Controller, Grade, SandboxAsset, Traits } from './types.ts';

/** The whole asset from its row: addresses, pools and registry names follow from the seed. */
export function buildAsset(seed: number, spec: AssetSpec, rank: number): SandboxAsset {
  const traits = { ...defaultTraits(spec), ...spec.traits };
  const solana = spec.chain === 'solana';
  const wallet = solana ? solanaWallet : evmAddress;
  const account = solana ? solanaAccount : evmAddress;
  const address = spec.chain === null ? '' : (spec.address ?? account(seed, spec.slug, 'token'));
  return {
    ...spec,
    traits,
    rank,
    address,
    // The amount of a mint is a 64-bit integer: the largest supplies have fewer decimals. Staked SOL has those of SOL.
    decimals:
      spec.decimals ??
      (solana ? (spec.redemption ? 9 : spec.totalSupply * 1e6 < 2 ** 64 ? 6 : 5) : spec.peg !== undefined ? 6 : 18),
    maxSupply: traits.mintAuthority === 'none' ? spec.totalSupply : null,
    url: `https://${spec.domain}/`,
    handle: spec.domain.replace(/\.example$/, '').replaceAll('-', ''),
    creator: wallet(seed, spec.slug, 'creator'),
    controller: (kind: Controller, role: string) => {
      if (kind === 'none') return null;
      return kind === 'eoa' ? wallet(seed, spec.slug, role) : account(seed, spec.slug, kind, role);
    },
    pools: spec.chain === null ? [] : buildPools(seed, spec),
    coingeckoId: spec.slug,
    cmcId: 50_000 + rank * 7,
    paprikaId: `${(spec.symbol || 'none').toLowerCase()}-${spec.slug}`,
    llamaSlug: spec.slug,
    repo: traits.commits90d > 0 ? `${spec.slug}-labs/${spec.slug}-core` : null,
  };
}

const BY_GRADE: Readonly<Record<Grade, { commits: number; people: number; audits: number; raised: number }>> = {
  strong: { commits: 820, people: 34, audits: 4, raised: 42 },
  healthy: { commits: 260, people: 13, audits: 2, raised: 11 },
  mediocre: { commits: 42, people: 3, audits: 1, raised: 2 },
  dying: { commits: 0, people: 0, audits: 0, raised: 0 },
  bad: { commits: 0, people: 0, audits: 0, raised: 0 },
};

function defaultTraits(spec: AssetSpec): Traits {
  const grade = BY_GRADE[spec.grade];
  const good = spec.grade === 'strong' || spec.grade === 'healthy';
  const meme = spec.category === 'memecoin';
  const start = Math.floor(seededUnit(spec.slug, 'firm') * AUDIT_FIRMS.length);
  const audits = Array.from({ length: meme ? 0 : grade.audits }, (_, index) => {
    return AUDIT_FIRMS[(start + index) % AUDIT_FIRMS.length]?.name ?? 'Hacken';
  });
  return {
    mintAuthority: 'none',
    freezeAuthority: 'none',
    metadataMutable: !good,
    token2022: false,
    permanentDelegate: false,
    transferFeeBps: 0,
    honeypot: false,
    buyTax: 0,
    sellTax: 0,
    owner: meme || spec.chain === 'solana' || spec.grade === 'strong' ? 'none' : good ? 'multisig' : 'timelock',
    proxyAdmin: null,
    verified: true,
    whitelist: false,
    lpLockedShare: good ? 0.97 : spec.grade === 'bad' ? 0.9 : 0.82,
    lpCreatorShare: 0,
    rugged: false,
    bundled: false,
    creatorShare: good ? 0.004 : 0.02,
    creatorTokens: 1,
    creatorDeadTokens: 0,
    topWalletShare: good ? 0.021 : 0.048,
    washShare: 0.08,
    listed: spec.grade !== 'bad',
    cex: spec.grade === 'strong' || (spec.grade === 'healthy' && !meme && spec.peg === undefined),
    site: true,
    siteShowsToken: spec.kind !== 'ambiguous',
    team: good && !meme ? 'named' : spec.grade === 'mediocre' ? 'pseudonymous' : 'anonymous',
    audits,
    commits90d: meme ? 0 : grade.commits,
    contributors: meme ? 0 : grade.people,
    bounty: spec.grade === 'strong',
    unitError: null,
    stale: null,
    incident: spec.slug === 'thornmere-finance' ? { daysAgo: 410, lossUsd: 1_300_000, returnedUsd: 1_100_000 } : null,
    raisedMillions: meme ? 0 : grade.raised,
  };
}
