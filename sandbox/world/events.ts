import { DAY_MS } from '../../src/domain/statistics.ts';
import type { SandboxAsset } from './types.ts';

/** Effects of the events of an asset by a given time: factors on its market, and changed traits. */
export interface Happened {
  readonly price: number;
  readonly liquidity: number;
  readonly volume: number;
  readonly asset: SandboxAsset;
}

/** All events of an asset up to `at`, by day. */
export function happenedTo(asset: SandboxAsset, anchor: number, at: number): Happened {
  let [price, liquidity, volume, traits] = [1, 1, 1, asset.traits];
  for (const event of asset.events ?? []) {
    if (at < anchor + event.day * DAY_MS) break;
    price *= event.price ?? 1;
    liquidity *= event.liquidity ?? 1;
    volume *= event.volume ?? 1;
    if (event.traits) traits = { ...traits, ...event.traits };
  }
  return { price, liquidity, volume, asset: traits === asset.traits ? asset : { ...asset, traits } };
}
