import { existsSync, readFileSync } from 'node:fs';
import type { AssetClass, Band, Category } from '../domain/index.ts';

/** How ratings of one class moved, in points of 100; null when no asset was rated by both versions. */
interface ClassMoves {
  readonly class: AssetClass;
  readonly assets: number;
  readonly rated_by_both: number;
  readonly rated_now_only: number;
  readonly median: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly bands_up: number;
  readonly bands_down: number;
}

/** One asset with a large move, and the reason. */
interface AssetMove {
  readonly asset: string;
  readonly class: AssetClass;
  readonly from_category: Category;
  readonly from_score: number;
  readonly from_band: Band;
  readonly score: number;
  readonly band: Band;
  readonly reason: string;
}

/** Changes of ratings from an earlier version to this one, from a shadow run of both on the same evidence. */
export interface MethodologyMoves {
  /** The earlier version. */
  readonly against: string;
  readonly evidence: string;
  readonly classes: readonly ClassMoves[];
  /** The largest moves first. */
  readonly biggest: readonly AssetMove[];
}

/** The stored shadow run of a version; null when there is none. */
export function movesOf(version: string): MethodologyMoves | null {
  const file = new URL(`../../methodology/moves/${version}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
