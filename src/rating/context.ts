import { findChain } from '../chains/index.ts';
import {
  type AssetClass,
  type Category,
  type Consensus,
  consensusKey,
  DAY_MS,
  type FeatureInput,
  isOverBudget,
  oncePer,
  type QuantityId,
  REPLIED,
  type SourceOutcome,
  sourcesFor,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import * as metrics from '../metrics/index.ts';
import { consensusAt, type Known, numberAt } from '../metrics/index.ts';
import type { RatingInput } from './input.ts';

export type { Known } from '../metrics/index.ts';

/** Input of the feature and flag rules: the agreed values by name, and the sources that could have supplied more. */
export interface Context {
  readonly input: RatingInput;
  readonly methodology: Methodology;
  readonly class: AssetClass;
  /** Category name that the API uses. */
  readonly category: Category;
  readonly kind: 'solana' | 'evm' | null;
  /** True for a chain's own coin, which has no contract to judge. */
  readonly native: boolean;
  readonly now: number;
  /** Whether one lineage group alone put it into its class (`isByOneGroup`). Absent: not asked. */
  readonly isByOneGroup?: () => boolean;
}

/** Builds the context of an asset that is rated in the given class. */
export function contextOf(
  input: RatingInput,
  of: AssetClass,
  methodology: Methodology,
  isByOneGroup?: () => boolean,
): Context {
  const { chain } = input.identification.asset;
  return {
    input,
    methodology,
    class: of,
    category: methodology.classes[of].category,
    kind: chain === null ? null : (findChain(chain)?.kind ?? null),
    native: isNative(input),
    now: Date.parse(input.asOf),
    ...(isByOneGroup && { isByOneGroup }),
  };
}

/** Classes of tokens for which no evidence names another one. */
export const UNCLAIMED: readonly AssetClass[] = ['memecoin', 'default'];

/**
 * True for a token that rules about launches concern: a memecoin or an unclassified token. Since methodology 1.11.0 also
 * one that the word of a single lineage group put into another class, because anyone can request a tag from a registry.
 */
export const isOfLaunch = oncePer(
  (context: Context): boolean =>
    UNCLAIMED.includes(context.class) || (isCautious(context) && context.isByOneGroup?.() === true),
);

/**
 * True for the coin of a chain itself, which has no contract: detected by its address or its row in the register of
 * natives.
 */
export function isNative(input: RatingInput): boolean {
  const { address } = input.identification.asset;
  return address === 'native' || (address === null && rowOf(input, 'natives') !== null);
}

/** Returns the row of a register unchanged; our own row takes precedence over the operator's. Null without one. */
export function rowOf(input: RatingInput, register: string): Readonly<Record<string, unknown>> | null {
  const found = ['', ':own'].map((whose) => input.consensus[`register_row@register:${register}${whose}`]);
  const value = found.find((row) => row !== undefined && row.value !== null)?.value;
  return value === undefined ? null : fieldsOf(value);
}

/** Revisions of the rules of features, flags and caps, oldest first: `featureRules.revision` counts them from 1. */
const REVISIONS = ['first', 'revised', 'hardened', 'tightened', 'guarded', 'wary', 'cautious'] as const;

function isOfRevision(revision: (typeof REVISIONS)[number], { featureRules }: Methodology): boolean {
  return (featureRules.revision ?? 1) > REVISIONS.indexOf(revision);
}

/** True under the rules since methodology 1.6.0. */
export function isRevised({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('revised', methodology);
}

/** True under the rules since methodology 1.7.0. */
export function isHardened({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('hardened', methodology);
}

/** True under the rules since methodology 1.8.0. */
export function isTightened({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('tightened', methodology);
}

/** True under the rules since methodology 1.9.0. */
export function isGuarded({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('guarded', methodology);
}

/** True under the rules since methodology 1.10.0. */
export function isWary({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('wary', methodology);
}

/** True under the rules since methodology 1.11.0. */
export function isCautious({ methodology }: Pick<Context, 'methodology'>): boolean {
  return isOfRevision('cautious', methodology);
}

export function consensusOf(context: Context, quantity: QuantityId, scope = 'asset'): Consensus | null {
  return consensusAt(context.input.consensus, quantity, scope);
}

export function numberOf(context: Context, quantity: QuantityId, scope = 'asset'): Known<number> | null {
  return numberAt(context.input.consensus, quantity, scope);
}

/**
 * A number that the rated party states as well: once including its own observation and once without it, so that a
 * feature can use the better one.
 */
export function withAndWithoutOwnWord(context: Context, quantity: QuantityId): readonly Known<number>[] {
  const others = context.input.withoutOwnWord?.[consensusKey(quantity)];
  const rows = [numberOf(context, quantity)];
  if (others !== undefined && others.status !== 'missing' && typeof others.value === 'number')
    rows.push({ value: others.value, confidence: others.confidence, consensus: others });
  return rows.filter((row) => row !== null);
}

export function textOf(context: Context, quantity: QuantityId, scope = 'asset'): Known<string> | null {
  const found = consensusOf(context, quantity, scope);
  return found && typeof found.value === 'string'
    ? { value: found.value, confidence: found.confidence, consensus: found }
    : null;
}

export function booleanOf(context: Context, quantity: QuantityId): Known<boolean> | null {
  const found = consensusOf(context, quantity);
  return found && typeof found.value === 'boolean'
    ? { value: found.value, confidence: found.confidence, consensus: found }
    : null;
}

/** Days since a date; never below 0. */
export function daysSince(context: Context, quantity: QuantityId, scope = 'asset'): Known<number> | null {
  const found = textOf(context, quantity, scope);
  const at = found ? Date.parse(found.value) : Number.NaN;
  return found && !Number.isNaN(at) ? { ...found, value: Math.max(0, (context.now - at) / DAY_MS) } : null;
}

/** Number of the named sources that replied to every request themselves. */
export function answered(context: Context, sources: readonly string[]): number {
  return context.input.sources.filter((row) => sources.includes(row.name) && hasReportedAll(row)).length;
}

/**
 * True when the source replied and no request to it was skipped for lack of request budget. Only then does a missing
 * value mean that the source does not have it.
 */
export function hasReportedAll({ name, outcome, failures }: SourceOutcome): boolean {
  return REPLIED.has(outcome) && !failures.some((failure) => isOverBudget(name, failure.outcome));
}

/**
 * True when a named source failed, or was not requested because a budget was spent: the missing value is then Assay's
 * failure and not the project's.
 */
export function failed(context: Context, sources: readonly string[]): boolean {
  return context.input.sources.some(
    (row) =>
      sources.includes(row.name) &&
      row.asked > 0 &&
      !hasReportedAll(row) &&
      row.outcome !== 'disabled' &&
      row.outcome !== 'unsupported',
  );
}

/** Fields of a row in a source's list; empty when the row is not an object. */
export function fieldsOf(row: unknown): Readonly<Record<string, unknown>> {
  return (typeof row === 'object' && row !== null ? row : {}) as Readonly<Record<string, unknown>>;
}

/** Key of a consensus, which features and flags use to refer to their evidence. */
export function keyOf(consensus: Consensus): string {
  return consensusKey(consensus.quantity, consensus.scope);
}

type Known0 = Known<unknown>;

/** Reading of a feature. The unit is the one in the feature's definition. */
export type FeatureReading = Omit<FeatureInput, 'unit'>;

/** A feature with a known value. Its confidence is that of its weakest support unless given. */
export function observed(
  id: string,
  raw: number | string,
  support: readonly Known0[],
  method: string,
  confidence?: number,
): FeatureReading {
  const weakest = support.reduce<Known0 | null>(
    (least, row) => (least === null || row.confidence < least.confidence ? row : least),
    null,
  );
  const parts = weakest?.consensus.parts ?? null;
  return {
    id,
    status: 'observed',
    raw,
    confidence: confidence ?? weakest?.confidence ?? 0,
    parts: parts && { independence: parts.independence, agreement: parts.agreement, freshness: parts.freshness },
    basis: support.map((row) => keyOf(row.consensus)),
    method,
  };
}

/**
 * Returns the feature with the value `found` when it is known; otherwise a missing one. `sources` are those that would
 * have the value.
 */
export function readOr(
  context: Context,
  id: string,
  found: Known<number | string> | null,
  method: string,
  sources: readonly string[],
): FeatureReading {
  return found ? observed(id, found.value, [found], method) : unknown(context, id, sources);
}

const NOTHING = { raw: null, confidence: 0, parts: null, basis: [] };

/** A feature without an observation. `sources` are those that publish it. */
export function unknown(context: Context, id: string, sources: readonly string[]): FeatureReading {
  const method = failed(context, sources)
    ? `a source that would know failed (${sources.join(', ')})`
    : 'no source says';
  return { id, status: 'unknown', ...NOTHING, method };
}

/** Searched for and not found. This counts as an observation, at half the weight. */
export function absent(
  id: string,
  raw: number | string | null,
  confidence: number,
  method: string,
  basis: readonly string[] = [],
): FeatureReading {
  return { id, status: 'absent', ...NOTHING, raw, confidence, basis, method };
}

/** A feature that has no meaning for this asset. */
export function notApplicable(id: string, method: string): FeatureReading {
  return { id, status: 'not_applicable', ...NOTHING, method };
}

/** Holder concentration computed from the holder lists of the evidence; null without one. */
export const holdersOf = oncePer(({ input, methodology }: Context): metrics.HolderAnalysis | null =>
  metrics.analyseHolders(input.consensus, methodology.holders, {
    ...methodology.metrics.holderLists,
    errorChance: methodology.consensus.errorChance,
  }),
);

/** True where liquidity counts only as far as it is shown: since methodology 1.8.0, unless the source of reserves failed. */
export function countsShownLiquidity(context: Context): boolean {
  return isTightened(context) && !failed(context, sourcesFor('pool_reserves'));
}

/** Liquidity whose counter side a source shows; null where none does, and where the stated liquidity counts. */
export const shownLiquidityOf = oncePer((context: Context): metrics.ShownLiquidity | null => {
  const { consensus, identification } = context.input;
  const { mostOverShown } = context.methodology.metrics.depth;
  return countsShownLiquidity(context) && mostOverShown !== undefined
    ? metrics.shownLiquidity(consensus, identification.asset, { mostOverShown, counterTokens: isGuarded(context) })
    : null;
});

/** The stated liquidity over all pools, and what counts of it, US dollars. Null when no source gives a total. */
export const liquidityOf = oncePer((context: Context): (Known<number> & { readonly statedUsd: number }) | null => {
  const stated = metrics.liquidityOf(context.input.consensus);
  if (stated === null) return null;
  return { ...stated, value: shownLiquidityOf(context)?.mostOf(stated.value) ?? stated.value, statedUsd: stated.value };
});

/** Depth at 2 % over all venues of the evidence; exact for pools read from the chain. Null when nothing is known. */
export const depthOf = oncePer((context: Context): metrics.Depth | null => {
  const { input, methodology } = context;
  return metrics.depthOf(
    input.consensus,
    methodology.metrics.depth,
    metrics.readPools(input.consensus, input.identification.asset),
    shownLiquidityOf(context),
  );
});

/**
 * The most that the depth of the weaker side can be, US dollars: a few pools that were read say nothing about the
 * liquidity of others, which counts by the proxy. Earlier methodologies take the counted pools for all. Null when nothing is known.
 */
export function mostDepthUsd(context: Context): number | null {
  const depth = depthOf(context);
  if (depth === null) return null;
  const side = Math.min(depth.upUsd, depth.downUsd);
  if (!isRevised(context)) return side;
  const { consensus, identification } = context.input;
  const read = metrics.readPools(consensus, identification.asset);
  return side + metrics.uncountedDepthUsd(consensus, read, shownLiquidityOf(context));
}

/** Estimated share of wash trading in the volume; null when it cannot be estimated. */
export const washOf = oncePer((context: Context): metrics.WashEstimate | null =>
  metrics.washOf(context.input.consensus, context.methodology.metrics.wash, liquidityOf(context)),
);

/** Pools and centralised markets of the evidence. */
export const venuesOf = oncePer(({ input }: Context): readonly metrics.Venue[] => metrics.venuesOf(input.consensus));

/**
 * Graded share of the volume: volume on counted exchanges, and in pools excluding wash trading; null without volume.
 */
export function gradedVolumeOf(context: Context): ReturnType<typeof metrics.gradedVolumeShare> {
  const counted = new Set(context.methodology.metrics.countedExchanges);
  return metrics.gradedVolumeShare(venuesOf(context), counted, washOf(context));
}

/**
 * Pools and the markets of counted exchanges: the basis for "one venue". Volume reported by other exchanges has no
 * effect.
 */
export const countedVenuesOf = oncePer((context: Context): readonly metrics.Venue[] =>
  metrics.countedVenues(venuesOf(context), new Set(context.methodology.metrics.countedExchanges)),
);
