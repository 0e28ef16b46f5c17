import type { Json } from '../../src/domain/index.ts';

/**
 * What goes wrong with what sources say. `factor`: one number off by a factor; `unit`: by a power of ten, or percent for
 * fraction; `stale`: an old value, half of them dated as fresh; `noise`: honest but rough; `lie`: a family that is wrong in
 * everything it says; `collusion`: families that draw on each other are wrong together, with the same number; `missing`:
 * sources that do not answer.
 */
export type ErrorKind = 'factor' | 'unit' | 'stale' | 'noise' | 'lie' | 'collusion' | 'missing';
export const ERROR_KINDS: readonly ErrorKind[] = ['factor', 'unit', 'stale', 'noise', 'lie', 'collusion', 'missing'];

export interface Injection {
  readonly kind: ErrorKind;
  /** Chance that what one family says of one thing is wrong (for `lie`: that the family lies), 0-1. */
  readonly amount: number;
}

/** What is true of an asset, by consensus key. */
export type Truths = Readonly<Record<string, Json>>;

/** One stated probability beside what came of it. */
export interface Claim {
  /** 0-1. */
  readonly stated: number;
  readonly right: boolean;
  /** Claims of one asset stay together when a curve is fitted on some and tested on others. */
  readonly asset: string;
}
