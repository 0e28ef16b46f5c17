import { assetId } from '../src/chains/index.ts';
import type { Panel } from '../src/proving/index.ts';
import { factsOf } from './drive.ts';
import type { World } from './world/world.ts';

/** A panel of healthy assets of the sandbox, with the world's facts about them. */
export function sandboxPanel(world: Pick<World, 'assets'>, slugs: readonly string[] = HEALTHY): Panel {
  const assets = slugs.map((slug): Panel['assets'][number] => {
    const asset = world.assets.find((row) => row.slug === slug);
    if (asset === undefined) throw new Error(`the sandbox has no ${slug}`);
    const { project, symbol, chain, address, websiteUrl, registrableDomain, keys } = factsOf(asset);
    const named = Object.entries(keys).filter(([, value]) => value !== null);
    return {
      id: chain && address ? assetId(chain, address) : `project:${registrableDomain}`,
      name: project,
      canary: true,
      ...(symbol ? { symbol } : {}),
      ...(websiteUrl ? { website: websiteUrl } : {}),
      keys: Object.fromEntries(named),
      known: [
        { quantity: 'decimals', value: asset.decimals },
        { quantity: 'total_supply', value: asset.totalSupply },
      ],
    };
  });
  return { about: 'healthy assets of the sandbox', assets };
}

const HEALTHY = ['tidewell', 'lumenfall', 'fennecswap', 'quillpond'];
