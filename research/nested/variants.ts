import type { CapDefinition, FeatureDefinition, Methodology } from '../../src/methodology/index.ts';

/** A whole methodology that could have been in force instead. */
export interface Variant {
  readonly name: string;
  readonly methodology: Methodology;
}

/** What was tried; stated in the report, small, and the same for every file. */
export const GRID = {
  /** Weights of the fitted features are multiplied by this, those of their factor rescaled to 1. */
  weights: [0.5, 1, 2],
  /** Points p of the fitted features become 100 (p / 100)^e: above 1 is stricter. */
  bends: [0.7, 1, 1.4],
  /** Share of the creator in the liquidity from which the fitted caps bind: as published, or all from the lowest one's. */
  caps: ['as published', 'from half', 'none'],
  /** Days after which a holder count says as much as it ever will: as published, or from the first day. */
  exposure: ['as published', 'at once'],
} as const;

/** Caps that the fit moved. */
const FITTED_CAPS = new Set(['LP_CREATOR', 'LP_CREATOR_HALF']);
const NEVER_BINDS = 100;
/** Days: short of everything that is measured, and no division by zero. */
const AT_ONCE = 1e-6;

/** Features that were made, or whose value functions were, after a look at the labelled files. */
export const FITTED: ReadonlySet<string> = new Set([
  'ts_lp_creator',
  'ts_lp_others',
  'gt_footprint',
  'tr_creator',
  'tr_lead',
]);

/**
 * The methodology and the ones that could have been chosen in its place: the grid around what was fitted. The methodology itself comes first:
 * it is kept where nothing else is better. Versions before its own MAJOR version rate by other features and cannot be run.
 */
export function variantsOf(methodology: Methodology): readonly Variant[] {
  const grid = GRID.weights.flatMap((weight) =>
    GRID.bends.flatMap((bend) =>
      GRID.caps.flatMap((caps) =>
        GRID.exposure.map((exposure) => ({
          name: nameOf(weight, bend, caps, exposure),
          methodology: changed(methodology, FITTED, { weight, bend, caps, exposure }),
        })),
      ),
    ),
  );
  return [{ name: `${methodology.version} as published`, methodology }, ...grid.filter(({ name }) => name !== '')];
}

interface GridPoint {
  readonly weight: number;
  readonly bend: number;
  readonly caps: (typeof GRID.caps)[number];
  readonly exposure: (typeof GRID.exposure)[number];
}

/** Empty for the methodology as it is. */
function nameOf(weight: number, bend: number, caps: string, exposure: string): string {
  return [
    ...(weight === 1 ? [] : [`weights x ${weight}`]),
    ...(bend === 1 ? [] : [`bend ${bend}`]),
    ...(caps === 'as published' ? [] : [`caps ${caps}`]),
    ...(exposure === 'as published' ? [] : ['holders at once']),
  ].join(', ');
}

function changed(methodology: Methodology, fitted: ReadonlySet<string>, point: GridPoint): Methodology {
  const { weight, bend, caps, exposure } = point;
  return {
    ...methodology,
    features: methodology.features.map((row) => (fitted.has(row.id) ? bent(row, bend) : row)),
    featureTables: Object.fromEntries(
      Object.entries(methodology.featureTables).map(([name, table]) => [name, rescaled(table, fitted, weight)]),
    ),
    caps: cappedFrom(methodology.caps, caps),
    aggregation: {
      ...methodology.aggregation,
      holderExposureDays: exposure === 'at once' ? AT_ONCE : methodology.aggregation.holderExposureDays,
    },
  };
}

function bent(row: FeatureDefinition, exponent: number): FeatureDefinition {
  const bend = (points: number) => 100 * (points / 100) ** exponent;
  return {
    ...row,
    anchors: row.anchors.map(([x, points]) => [x, bend(points)] as const),
    states: Object.fromEntries(Object.entries(row.states).map(([state, points]) => [state, bend(points)])),
    zero: row.zero === null ? null : bend(row.zero),
    silence: { ...row.silence, points: row.silence.points === null ? null : bend(row.silence.points) },
  };
}

/** Weights of a table with those of the fitted features multiplied; they keep their sum. */
function rescaled(
  table: Readonly<Record<string, number>>,
  fitted: ReadonlySet<string>,
  multiple: number,
): Readonly<Record<string, number>> {
  const own = Object.entries(table).map(([id, weight]) => [id, weight * (fitted.has(id) ? multiple : 1)] as const);
  const sum = own.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(own.map(([id, weight]) => [id, weight / sum]));
}

function cappedFrom(caps: readonly CapDefinition[], choice: GridPoint['caps']): readonly CapDefinition[] {
  if (choice === 'as published') return caps;
  if (choice === 'none') return caps.map((row) => (FITTED_CAPS.has(row.code) ? { ...row, cap: NEVER_BINDS } : row));
  const half = caps.find((row) => row.code === 'LP_CREATOR_HALF');
  return caps.map((row) => (row.code === 'LP_CREATOR' && half ? { ...row, thresholds: half.thresholds } : row));
}
