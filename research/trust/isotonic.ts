import type { Claim } from './types.ts';

/** Steps of a rising curve: from `stated` on, the observed share is `right`. */
export type IsotonicCurve = readonly { readonly stated: number; readonly right: number }[];

/** Stated values are taken together by twentieths: a curve of few steps can be published and does not learn single assets. */
const GRID = 20;

/** Pool-adjacent-violators (Ayer et al. 1955): the rising curve of steps nearest to what came, in squares. */
export function fitIsotonic(claims: readonly Claim[]): IsotonicCurve {
  const cells = Array.from({ length: GRID + 1 }, (_, index) => ({ stated: index / GRID, right: 0, count: 0 }));
  for (const claim of claims) {
    const cell = cells[cellOf(claim.stated)];
    if (!cell) continue;
    cell.right += Number(claim.right);
    cell.count += 1;
  }
  const pooled: { stated: number; right: number; count: number }[] = [];
  for (const cell of cells.filter(({ count }) => count > 0)) {
    let next = { ...cell };
    for (let last = pooled.at(-1); last && last.right * next.count >= next.right * last.count; last = pooled.at(-1)) {
      pooled.pop();
      next = { stated: last.stated, right: last.right + next.right, count: last.count + next.count };
    }
    pooled.push(next);
  }
  return pooled.map(({ stated, right, count }) => ({ stated, right: right / count }));
}

/** The cell of the grid a stated value in [0, 1] falls into. */
function cellOf(stated: number): number {
  return Math.max(0, Math.min(GRID, Math.floor(stated * GRID + 1e-9)));
}

/** What the curve says of a stated value; below its first step, what it says there. Without a curve, the value itself. */
export function readCurve(curve: IsotonicCurve, stated: number): number {
  const at = cellOf(stated) / GRID;
  return (curve.findLast((step) => step.stated <= at) ?? curve[0])?.right ?? stated;
}

/**
 * The claims as curves restate them that were fitted on other assets; `before` keeps what was stated. Assets are dealt into
 * `folds` in the order of their names.
 */
export function restateHeldOut<Kind extends Claim>(
  claims: readonly Kind[],
  folds: number,
): readonly (Kind & { readonly before: number })[] {
  const assets = [...new Set(claims.map((claim) => claim.asset))].sort();
  const foldOf = new Map(assets.map((asset, index) => [asset, index % folds]));
  return Array.from({ length: folds }, (_, fold) => {
    const curve = fitIsotonic(claims.filter((claim) => foldOf.get(claim.asset) !== fold));
    return claims
      .filter((claim) => foldOf.get(claim.asset) === fold)
      .map((claim) => ({ ...claim, stated: readCurve(curve, claim.stated), before: claim.stated }));
  }).flat();
}
