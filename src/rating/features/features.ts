import type { Feature } from '../../domain/index.ts';
import { type FeatureDefinition, featureWeights, pointsOf } from '../../methodology/index.ts';
import type { Context, FeatureReading } from '../context.ts';
import { isCreditVault } from '../credit-vault.ts';
import { issuerOf } from '../issuer.ts';
import { restOf } from '../missing-values.ts';
import { assumedReading } from '../suppose.ts';
import { featureRationale } from '../text.ts';
import { fundamentalFeatures } from './fundamentals.ts';
import { marketFeatures, trackFeatures } from './market.ts';
import { developmentFeatures, governanceFeatures, incidentFeatures } from './project.ts';
import { adjustPoints, securityFeatures } from './security.ts';
import { holderFeatures, supplyFeatures } from './supply.ts';

/** Variant of the asset's class with different features; null for none. */
function kindOf(context: Context): 'withIssuer' | 'asCreditVault' | null {
  if (issuerOf(context) !== null) return 'withIssuer';
  return isCreditVault(context) ? 'asCreditVault' : null;
}

/** Every feature of the asset's class with its raw value, points and confidence, in the order of the methodology. */
export function featuresOf(context: Context): readonly Feature[] {
  const inputs = [
    marketFeatures,
    holderFeatures,
    securityFeatures,
    supplyFeatures,
    fundamentalFeatures,
    developmentFeatures,
    governanceFeatures,
    trackFeatures,
    incidentFeatures,
  ].flatMap((read) => read(context));
  const supposed = new Map(context.input.supposed?.features.map((row) => [row.feature, row]));
  const byId = new Map(inputs.map((input) => [input.id, assumedReading(input, supposed.get(input.id))]));
  const weights = featureWeights(context.class, context.methodology, kindOf(context));
  const definitions = context.methodology.features.filter(({ id }) => weights.has(id));
  return definitions.map((definition): Feature => {
    const input = byId.get(definition.id);
    if (!input) throw new Error(`feature ${definition.id} of the methodology is not computed`);
    const { prior } = context.methodology.aggregation;
    const weighed = { ...definition, weight: weights.get(definition.id) ?? 0 };
    return buildFeature(context, input, weighed, prior, (points) => adjustPoints(context, input.id, points));
  });
}

/**
 * Builds a feature with the points from the methodology's value function and the points used for its unknown part.
 * `prior`: points of an unknown feature, 0-100. `adjust` lets a model change the points beyond the value function (for
 * example for an old audit).
 */
export function buildFeature(
  context: Context,
  input: FeatureReading,
  definition: FeatureDefinition & { readonly weight: number },
  prior: number,
  adjust: (points: number) => number = (points) => points,
): Feature {
  const { rest, silent } = restOf(context, input, definition, prior);
  const points = pointsFor(input, definition, adjust);
  const { id, status, raw, confidence, parts, basis, method, atLeast, isOurs } = input;
  return {
    id,
    status,
    raw,
    unit: definition.unit,
    confidence,
    parts,
    basis,
    method,
    name: definition.name,
    factor: definition.factor,
    weight: definition.weight,
    critical: definition.critical,
    score: points,
    rest,
    silent,
    rationale: featureRationale(
      input,
      definition,
      { points, rest, silent },
      sourcesBehind(context, input),
      context.methodology,
    ),
    ...(atLeast !== undefined && { atLeast }),
    ...(isOurs !== undefined && { isOurs }),
  };
}

function pointsFor(
  input: FeatureReading,
  definition: FeatureDefinition,
  adjust: (points: number) => number,
): number | null {
  const { kind, points: withheldPoints } = definition.silence;
  const withheld = kind === 'P' ? withheldPoints : null;
  // A withheld value gets the points for withheld values. A value that was searched for elsewhere and not found gets
  // those of zero.
  if (input.status === 'absent') return withheld ?? definition.zero ?? pointsOf(definition, input.raw);
  if (input.status !== 'observed') return null;
  const isLogOfZero = input.raw === 0 && definition.scale === 'log' && definition.zero !== null;
  const points = pointsOf(definition, isLogOfZero ? null : input.raw) ?? definition.zero;
  const held = points === null ? null : Math.max(adjust(points), input.atLeast ?? 0);
  // A published value never scores below a withheld one.
  return held === null || withheld === null ? held : Math.max(held, withheld);
}

function sourcesBehind(context: Context, input: FeatureReading): number {
  const names = new Set<string>();
  for (const key of input.basis)
    for (const voice of context.input.consensus[key]?.voices ?? []) if (voice.accepted) names.add(voice.source);
  return names.size;
}
