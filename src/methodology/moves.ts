import { existsSync, readFileSync } from 'node:fs';
import type { AssetClass, Band, Category } from '../domain/index.ts';

/** How ratings of one class moved; points of 100, null where no asset was rated by both versions. */
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

/** One asset that moved far, and why. */
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

/** How a version moved ratings against an earlier one, by a shadow run of both on the same evidence. */
export interface MethodologyMoves {
  /** Version that it was run beside. */
  readonly against: string;
  readonly evidence: string;
  readonly classes: readonly ClassMoves[];
  /** The largest moves first. */
  readonly biggest: readonly AssetMove[];
}

/** The shadow run of a version, as it was kept when the version was made; null where none was. */
export function movesOf(version: string): MethodologyMoves | null {
  const file = new URL(`../../methodology/moves/${version}.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
