import type { ConsensusSet } from '../domain/index.ts';
import { type Known, numberAt } from './agreed.ts';
import { liquidityOf } from './liquidity.ts';

export interface WashEstimate {
  /** Share of the volume that looks made up, 0-0.5 (soft tests alone never say more). */
  readonly share: number;
  readonly confidence: number;
  readonly support: readonly Known<unknown>[];
  readonly method: string;
}

interface SoftTest {
  readonly name: string;
  /** 0-1: how positive the test is. */
  readonly positive: number;
  readonly support: readonly Known<unknown>[];
}

/** Data of the methodology. A ramp counts nothing below its first number and fully from its second on. */
export interface WashRules {
  /** What one test contributes, and what all of them can. */
  readonly testShare: number;
  readonly most: number;
  /** The second highest test from which the highest one counts fully. */
  readonly borneOut: number;
  /** Highest confidence of the estimate. */
  readonly confidence: number;
  readonly turnover: Ramp;
  readonly usdPerTrader: Ramp;
  readonly tradesPerTrader: Ramp;
}

type Ramp = readonly [from: number, to: number];

/**
 * Authenticity of volume from what public aggregates allow (methodology 9): turnover against liquidity, volume per trader,
 * trades per trader. At least two positive soft tests are needed before anything is said against an asset; the direct
 * lower bound needs single trades and is not computable here. Null when fewer than two tests can be run.
 */
export function washOf(set: ConsensusSet, rules: WashRules): WashEstimate | null {
  const volume = numberAt(set, 'volume_24h_dex_usd') ?? numberAt(set, 'volume_24h_usd');
  if (!volume || volume.value <= 0) return null;
  const tests = [
    turnover(set, volume, rules.turnover),
    perTrader(set, volume, rules.usdPerTrader),
    tradesPerTrader(set, rules.tradesPerTrader),
  ].filter((test) => test !== null);
  if (tests.length < 2) return null;
  const ranked = tests.map((test) => test.positive).sort((a, b) => b - a);
  // No accusation on one statistic: the second highest test decides, without a step, how far the first one counts.
  const borneOut = Math.min(1, (ranked[1] ?? 0) / rules.borneOut);
  const share = Math.min(rules.most, rules.testShare * borneOut * ranked.reduce((sum, positive) => sum + positive, 0));
  const support = tests.flatMap((test) => test.support);
  const confidence = Math.min(rules.confidence, ...support.map((row) => row.confidence));
  return {
    share,
    confidence,
    support,
    method: `soft tests ${tests.map((test) => `${test.name} ${test.positive.toFixed(2)}`).join(', ')}`,
  };
}

/** Volume above 20 times the liquidity a day is not what people do. */
function turnover(set: ConsensusSet, volume: Known<number>, limits: Ramp): SoftTest | null {
  const liquidity = liquidityOf(set);
  if (!liquidity || liquidity.value <= 0) return null;
  return { name: 'turnover', positive: ramp(volume.value / liquidity.value, limits), support: [volume, liquidity] };
}

function perTrader(set: ConsensusSet, volume: Known<number>, limits: Ramp): SoftTest | null {
  const traders = numberAt(set, 'traders_24h');
  if (!traders || traders.value <= 0) return null;
  return {
    name: 'volume per trader',
    positive: ramp(volume.value / traders.value, limits),
    support: [volume, traders],
  };
}

function tradesPerTrader(set: ConsensusSet, limits: Ramp): SoftTest | null {
  const trades = numberAt(set, 'trades_24h');
  const traders = numberAt(set, 'traders_24h');
  if (!trades || !traders || traders.value <= 0) return null;
  return {
    name: 'trades per trader',
    positive: ramp(trades.value / traders.value, limits),
    support: [trades, traders],
  };
}

function ramp(value: number, [from, to]: Ramp): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
