import canonicalize from 'canonicalize';
import type { CapDefinition, FeatureDefinition, FlagDefinition, Methodology } from '../../src/methodology/index.ts';
import { completed } from '../../src/methodology/index.ts';

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

/**
 * The methodology and the ones that could have been chosen in its place: every kept version, and the grid around what the fit
 * changed since the first of them. The methodology itself comes first: it is kept where nothing else is better.
 */
export function variantsOf(methodology: Methodology, kept: readonly Methodology[]): readonly Variant[] {
  const first = kept.at(-1);
  const fitted = new Set(first === undefined ? [] : fittedFeatures(methodology, first));
  const grid =
    first === undefined
      ? []
      : GRID.weights.flatMap((weight) =>
          GRID.bends.flatMap((bend) =>
            GRID.caps.flatMap((caps) =>
              GRID.exposure.map((exposure) => ({
                name: nameOf(weight, bend, caps, exposure),
                methodology: changed(methodology, fitted, { weight, bend, caps, exposure }),
              })),
            ),
          ),
        );
  const whole = { name: `${methodology.version} as published`, methodology };
  return [
    whole,
    ...kept.map((own) => ({ name: `${own.version} as published`, methodology: runnable(own) })),
    ...grid.filter(({ name }) => name !== ''),
  ];
}

const NO_WORDS: Methodology['categoryWords'] = {
  ignoredEndings: [],
  ignored: [],
  governance: [],
  notOfGovernance: [],
  ofGovernance: 'default',
  weak: [],
};

/** Before 0.5.0 whatever was not known counted as the starting point. */
const NOBODYS_SILENCE: FeatureDefinition['silence'] = { kind: 'N', points: null };

/** Thresholds that versions before 0.3.0 do not have, at values that nothing reaches: they did not raise these flags. */
const UNREACHED: Readonly<Record<string, FlagDefinition['thresholds']>> = {
  RUG_EXECUTED: { leftUsd: 0 },
  LP_UNLOCK_SOON: { share: 0 },
  LIQUIDITY_DRAIN: { drop: 1 },
  VOLUME_ANOMALY: { flatPct: 0, days: Number.MAX_VALUE },
  INFLATION_HIGH: { days: Number.MAX_VALUE },
  SUPPLY_UNEXPECTED_MINT: { growth: 1 },
  BRIDGE_DEPENDENCY: { share: 1 },
  WEBSITE_DOWN: { probes: Number.MAX_VALUE },
  FORK_UNMODIFIED: { aheadCommits: 0 },
  DELISTING: { volumeUsd: Number.MAX_VALUE },
  CHAIN_HALT: { hours: Number.MAX_VALUE },
  ABANDONED: { days: Number.MAX_VALUE, points: Number.MAX_VALUE },
};

/** The data of an older version as today's code reads it: rules it did not have do nothing. */
function runnable(kept: Methodology): Methodology {
  const aggregation: Partial<Methodology['aggregation']> = kept.aggregation;
  const peg: Partial<Methodology['vfr']['peg']> = kept.vfr.peg;
  const { categoryWords }: Partial<Methodology> = kept;
  const own: Methodology = {
    ...kept,
    features: kept.features.map((feature) => {
      const { absent = null }: { readonly absent?: number | null } = feature as object;
      const { zero = absent, silence = NOBODYS_SILENCE }: Partial<FeatureDefinition> = feature;
      return { ...feature, zero, silence };
    }),
    flags: kept.flags.map((flag) => ({ ...flag, thresholds: { ...UNREACHED[flag.code], ...flag.thresholds } })),
    aggregation: {
      ...kept.aggregation,
      holderExposureDays: aggregation.holderExposureDays ?? AT_ONCE,
      adverseDays: aggregation.adverseDays ?? 0,
      launchDays: aggregation.launchDays ?? Number.MAX_SAFE_INTEGER,
      launchPoolShare: aggregation.launchPoolShare ?? 0,
    },
    vfr: {
      ...kept.vfr,
      peg: { ...kept.vfr.peg, dollarWords: peg.dollarWords ?? [], accruingWords: peg.accruingWords ?? [] },
    },
    categoryWords: categoryWords ?? NO_WORDS,
  };
  return { ...(completed(own, kept.version) as Methodology), hash: kept.hash };
}

/** Features that are new since `before`, or whose value function is another. */
export function fittedFeatures(methodology: Methodology, before: Methodology): readonly string[] {
  const known = new Map(before.features.map((row) => [row.id, canonicalize([row.anchors, row.states])]));
  return methodology.features
    .filter((row) => known.get(row.id) !== canonicalize([row.anchors, row.states]))
    .map((row) => row.id);
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
    features: rescaled(
      methodology.features.map((row) => (fitted.has(row.id) ? bent(row, bend) : row)),
      fitted,
      weight,
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

/** Weights of a factor keep their sum in every category. */
function rescaled(
  features: readonly FeatureDefinition[],
  fitted: ReadonlySet<string>,
  multiple: number,
): readonly FeatureDefinition[] {
  const categories = [
    ...new Set(features.flatMap((row) => Object.keys(row.weight))),
  ] as (keyof FeatureDefinition['weight'])[];
  const of = (row: FeatureDefinition, category: keyof FeatureDefinition['weight']) =>
    row.weight[category] ?? row.weight['*'] ?? 0;
  const factors = [...Map.groupBy(features, (row) => row.factor).values()];
  const scales = new Map(
    factors.flatMap((rows) =>
      categories.map((category) => {
        const before = rows.reduce((sum, row) => sum + of(row, category), 0);
        const after = rows.reduce((sum, row) => sum + of(row, category) * (fitted.has(row.id) ? multiple : 1), 0);
        return [`${rows[0]?.factor} ${category}`, after === 0 ? 1 : before / after] as const;
      }),
    ),
  );
  return features.map((row) => ({
    ...row,
    weight: Object.fromEntries(
      categories.map((category) => [
        category,
        of(row, category) * (fitted.has(row.id) ? multiple : 1) * (scales.get(`${row.factor} ${category}`) ?? 1),
      ]),
    ),
  }));
}

function cappedFrom(caps: readonly CapDefinition[], choice: GridPoint['caps']): readonly CapDefinition[] {
  if (choice === 'as published') return caps;
  if (choice === 'none') return caps.map((row) => (FITTED_CAPS.has(row.code) ? { ...row, cap: NEVER_BINDS } : row));
  const half = caps.find((row) => row.code === 'LP_CREATOR_HALF');
  return caps.map((row) => (row.code === 'LP_CREATOR' && half ? { ...row, thresholds: half.thresholds } : row));
}
