import { noiseOnScale, toScale } from '../../src/consensus/index.ts';
import { type Consensus, type ConsensusSet, DAY_MS, type Json, QUANTITIES } from '../../src/domain/index.ts';
import type { Methodology } from '../../src/methodology/index.ts';
import { jeffreysInterval } from '../../src/publication/index.ts';

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
  /** Mean squared difference of stated and observed, 0-1. */
  readonly brier: number;
  /** Brier score if every stated value were the overall share. */
  readonly brierOfBaseRate: number;
  /**
   * Expected calibration error: mean difference of stated and observed values over the bins, weighted by claims
   * (Naeini, Cooper, Hauskrecht 2015).
   */
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

/** A value that differs from the truth by more noise floors than this is wrong (methodology 2.4). */
const TOLERANCE_FLOORS = 3;

/**
 * The truth behind unmodified evidence: the `known` values of the asset, otherwise the consensus of its sources.
 * Disputed values, lists, and statements of registries and pages have no known truth.
 */
export function truthsOf(clean: ConsensusSet, known: Truths): Truths {
  const rows = Object.entries(clean).filter(
    ([key, row]) =>
      row.value !== null &&
      (row.status !== 'disputed' || known[key] !== undefined) &&
      QUANTITIES[row.quantity].kind !== 'list' &&
      !row.scope.startsWith('registry:') &&
      !row.scope.startsWith('page:'),
  );
  return Object.fromEntries(rows.map(([key, row]) => [key, known[key] ?? row.value]));
}

/**
 * True if a published value equals the true one within the tolerance of its class: 3 noise floors; states and texts
 * exactly.
 */
export function isRight(found: Consensus, truth: Json, liquid: boolean, methodology: Methodology): boolean {
  const { kind } = QUANTITIES[found.quantity];
  if (kind === 'boolean' || kind === 'enum') return found.value === truth;
  if (kind === 'text') return String(found.value).toLowerCase() === String(truth).toLowerCase();
  const { noise } = toleranceClass(found, liquid, methodology);
  if (kind === 'date') {
    const days = (Date.parse(String(found.value)) - Date.parse(String(truth))) / DAY_MS;
    return Math.abs(days) <= TOLERANCE_FLOORS * noise;
  }
  if (typeof found.value !== 'number' || typeof truth !== 'number') return false;
  if (found.value === truth) return true;
  const [is, should] = [toScale(kind, found.value), toScale(kind, truth)];
  if (is === null || should === null) return false;
  return Math.abs(is - should) <= TOLERANCE_FLOORS * noiseOnScale(kind, noise, should);
}

function toleranceClass(found: Consensus, liquid: boolean, methodology: Methodology) {
  const { classes, classOf } = methodology.consensus;
  const name = found.quantity === 'price_usd' && liquid ? 'price_liquid' : classOf[found.quantity];
  const parameters = classes[name];
  if (!parameters) throw new Error(`the methodology has no class ${name}`);
  return parameters;
}

/** True if the price is judged as a liquid one: the 2 % depth of constant product is half a percent of the pools. */
export function isLiquid(truths: Truths, methodology: Methodology): boolean {
  const pools = truths.liquidity_dex_usd;
  return typeof pools === 'number' && pools * 0.005 > methodology.consensus.liquidDepthUsd;
}

/**
 * Kinds of errors in observations. `factor`: a number wrong by a factor; `unit`: wrong by a power of ten, or percent
 * instead of fraction; `stale`: an old value, in half of the cases dated as fresh; `noise`: honest but imprecise;
 * `lie`: a lineage group that is wrong in all its observations; `collusion`: lineage groups with common inputs that
 * state the same wrong number; `missing`: sources that do not reply.
 */
export type ErrorKind = 'factor' | 'unit' | 'stale' | 'noise' | 'lie' | 'collusion' | 'missing';
export const ERROR_KINDS: readonly ErrorKind[] = ['factor', 'unit', 'stale', 'noise', 'lie', 'collusion', 'missing'];

export interface Injection {
  readonly kind: ErrorKind;
  /**
   * Probability that the value of one lineage group for one quantity is wrong (for `lie`: that the group lies), 0-1.
   */
  readonly amount: number;
}

/** The true values of an asset, by consensus key. */
export type Truths = Readonly<Record<string, Json>>;

/** One stated probability with its outcome. */
export interface Claim {
  /** 0-1. */
  readonly stated: number;
  readonly right: boolean;
  /** Claims of one asset stay together when a curve is fitted on some and tested on others. */
  readonly asset: string;
}
