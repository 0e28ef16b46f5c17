import { jeffreysInterval } from '../../src/publication/index.ts';
import type { Claim } from './types.ts';

export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly claims: number;
  readonly meanStated: number;
  readonly rightShare: number;
  readonly interval: readonly [low: number, high: number];
}

export interface Reliability {
  readonly claims: number;
  readonly meanStated: number;
  readonly rightShare: number;
  /** Mean squared distance of what was stated and what came, 0-1. */
  readonly brier: number;
  /** The same had everybody stated the overall share. */
  readonly brierOfBaseRate: number;
  /** Expected calibration error: mean distance of stated and observed over the bins, by claims (Naeini, Cooper, Hauskrecht 2015). */
  readonly ece: number;
  /** Ten bins of equal width; empty ones are left out. */
  readonly bins: readonly ReliabilityBin[];
}

const BINS = 10;

/** The reliability curve of stated probabilities, with its errors. */
export function reliabilityOf(claims: readonly Claim[]): Reliability {
  const groups = Array.from({ length: BINS }, (): Claim[] => []);
  for (const claim of claims) groups[Math.min(BINS - 1, Math.floor(claim.stated * BINS))]?.push(claim);
  const bins = groups.flatMap((group, index): readonly ReliabilityBin[] => {
    if (group.length === 0) return [];
    const right = group.filter((claim) => claim.right).length;
    return [
      {
        from: index / BINS,
        to: (index + 1) / BINS,
        claims: group.length,
        meanStated: mean(group.map((claim) => claim.stated)),
        rightShare: right / group.length,
        interval: jeffreysInterval(right, group.length, 0.95) ?? [0, 1],
      },
    ];
  });
  const base = mean(claims.map((claim) => Number(claim.right)));
  return {
    claims: claims.length,
    meanStated: mean(claims.map((claim) => claim.stated)),
    rightShare: base,
    brier: mean(claims.map((claim) => (claim.stated - Number(claim.right)) ** 2)),
    brierOfBaseRate: base * (1 - base),
    ece: bins.reduce((sum, bin) => sum + (bin.claims / claims.length) * Math.abs(bin.meanStated - bin.rightShare), 0),
    bins,
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
