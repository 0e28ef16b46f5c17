import type { QuantityId } from '../../domain/index.ts';

/** What is known of an asset's driver. */
export interface Driver {
  readonly quantity: QuantityId;
  readonly value: number;
  /** 0-1. */
  readonly confidence: number;
  /** Days of our own readings behind the median; 1: today alone. */
  readonly days: number;
  readonly isWeak: boolean;
}

/** One estimate of the fair value. */
export interface Estimate {
  readonly estimator: 'multiple' | 'regression';
  /** What a multiple divides by; null for the regression. */
  readonly driver: Driver | null;
  readonly lnFair: number;
  readonly sd: number;
  /** 0-1. */
  readonly confidence: number;
  readonly peers: number;
  /** How far off (in ln) it is on each peer of the category when that peer is left out, by asset id. */
  readonly leftOut: ReadonlyMap<string, number>;
}
