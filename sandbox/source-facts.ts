import { CHAINS } from '../src/chains/index.ts';
import { SOURCES } from '../src/sources/index.ts';
import type { Facts, Source } from '../src/sources/source.ts';
import { driveSource, factsOf, factsOfCoin } from './drive.ts';
import type { Scene } from './scene.ts';
import type { SandboxAsset } from './world/types.ts';

/** Native coins, of which only the operators are played. */
const COINS: readonly Facts[] = [
  factsOfCoin('Bitcoin', 'bitcoin'),
  factsOfCoin('Solana', 'solana', 'solana'),
  factsOfCoin('Ether', 'ethereum', 'ethereum'),
  factsOfCoin('Cardano', 'cardano'),
  factsOfCoin('Hedera', 'hedera-hashgraph'),
];
const HEALTHY = ['tidewell', 'lumenfall', 'fennecswap', 'quillpond', 'veyra-network'];

/** Facts of assets about which every source has data, for one source. */
export function factsFor(source: Source, scene: Scene): readonly Facts[] {
  const assets = HEALTHY.map((slug) => assetCalled(scene, slug));
  const { name } = source;
  const lumenfall = factsOf(assetCalled(scene, 'lumenfall'));
  // A real token, for sources that keep a table of addresses, under a symbol that names a currency.
  const real: Facts = {
    ...lumenfall,
    symbol: 'EURT',
    chain: CHAINS.find((chain) => chain.name === 'arbitrum') ?? null,
    address: '0x912ce59144191c1204e64559fe8253a0e49e6548',
  };
  // An address that the sandbox's list of designated persons has.
  const listed: Facts = { ...lumenfall, address: '0x00000000000000000000000000000000deadbeef' };
  // A real token whose issuer the register of issuers holds with its licence.
  const chain = CHAINS.find((row) => row.name === 'ethereum') ?? null;
  const licensed: Facts = { ...lumenfall, chain, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' };
  const outside = { l2beat: real, ecb: real, ofac: listed, esma: licensed }[name];
  return [
    // The others are found by the links of the site.
    ...assets.map((asset) => ({ ...factsOf(asset), learned: linkedBy(asset, scene, name) })),
    ...COINS,
    ...(outside === undefined ? [] : [outside]),
  ];
}

/** Sources whose requests depend on more than the site's links, and what provides it. */
const TAUGHT_BY: Readonly<Record<string, readonly string[]>> = { osv: ['website', 'github'], safe: ['evm_rpc'] };

function linkedBy(asset: SandboxAsset, scene: Scene, source: string): Facts['learned'] {
  let facts = factsOf(asset);
  for (const name of TAUGHT_BY[source] ?? ['website']) {
    const teacher = SOURCES.find((row) => row.name === name);
    const replies = teacher === undefined ? [] : driveSource(teacher, facts, scene);
    facts = { ...facts, learned: Object.assign({}, facts.learned, ...replies.map((reply) => reply.learned)) };
  }
  return facts.learned;
}

function assetCalled(scene: Scene, slug: string): SandboxAsset {
  const asset = scene.world.assets.find((row) => row.slug === slug);
  if (asset === undefined) throw new Error(`the sandbox has no ${slug}`);
  return asset;
}
