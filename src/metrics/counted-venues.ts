import { marketOfScope } from '../domain/index.ts';
import type { Known } from './agreed.ts';
import type { Venue, WashEstimate } from './venues.ts';

/** Pools, and the markets of counted exchanges: what the number of venues is reckoned over. */
export function countedVenues(venues: readonly Venue[], counted: ReadonlySet<string>): readonly Venue[] {
  return venues.filter(({ scope }) => {
    const market = marketOfScope(scope);
    return scope.startsWith('pool:') || (market !== null && counted.has(market.exchange));
  });
}

export interface CountedVolume {
  /** Share of the reported volume that is on counted exchanges, and in pools as far as it is not wash trading, 0-1. */
  readonly share: number;
  /** Share of pools in that counted volume, 0-1; null when nothing counts. A volume that an uncounted exchange reports moves it nowhere. */
  readonly dexShare: number | null;
  /** US dollars in 24 h. */
  readonly volumeUsd: number;
  readonly support: readonly Known<unknown>[];
}

/** How much of the volume counts; null without any volume. `wash`: null where no test could be run, so that pools count in full. */
export function gradedVolumeShare(
  venues: readonly Venue[],
  counted: ReadonlySet<string>,
  wash: WashEstimate | null,
): CountedVolume | null {
  const traded = venues.filter(({ volumeUsd }) => volumeUsd !== null && volumeUsd.value > 0);
  const total = volumeOf(traded);
  if (total <= 0) return null;
  const [pools, markets] = [
    traded.filter(({ scope }) => scope.startsWith('pool:')),
    countedVenues(traded, counted).filter(({ scope }) => !scope.startsWith('pool:')),
  ];
  const real = volumeOf(pools) * (1 - (wash?.share ?? 0));
  const volumeUsd = real + volumeOf(markets);
  return {
    share: Math.min(1, volumeUsd / total),
    dexShare: volumeUsd > 0 ? real / volumeUsd : null,
    volumeUsd,
    support: [
      ...traded.flatMap((venue) => venue.volumeUsd ?? []),
      ...(pools.length > 0 && wash !== null ? wash.support : []),
    ],
  };
}

function volumeOf(venues: readonly Venue[]): number {
  return venues.reduce((sum, { volumeUsd }) => sum + (volumeUsd?.value ?? 0), 0);
}
