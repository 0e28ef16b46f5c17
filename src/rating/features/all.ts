import type { Feature, FeatureInput } from '../../domain/rating.ts';
import { pointsOf } from '../../methodology/value-function.ts';
import type { Context } from '../context.ts';
import { featureRationale } from '../words/rationale.ts';
import { fundamentalFeatures } from './fundamentals.ts';
import { holderFeatures } from './holders.ts';
import { marketFeatures, trackFeatures } from './market.ts';
import { developmentFeatures, governanceFeatures, incidentFeatures } from './project.ts';
import { adjustPoints, securityFeatures } from './security.ts';
import { supplyFeatures } from './supply.ts';

/** Every feature of the methodology with its raw value, points and confidence for this asset, in the methodology's order. */
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
  const byId = new Map(inputs.map((input) => [input.id, input]));
  return context.methodology.features.map((definition): Feature => {
    const input = byId.get(definition.id);
    if (!input) throw new Error(`feature ${definition.id} of the methodology is not computed`);
    const points = pointsFor(context, input, definition);
    return {
      ...input,
      name: definition.name,
      factor: definition.factor,
      weight: definition.weight[context.category] ?? definition.weight['*'] ?? 0,
      critical: definition.critical,
      score: points,
      rationale: featureRationale(input, definition, points, sourcesBehind(context, input)),
    };
  });
}

function pointsFor(
  context: Context,
  input: FeatureInput,
  definition: Parameters<typeof pointsOf>[0] & { readonly absent: number | null },
): number | null {
  if (input.status === 'absent') return definition.absent ?? pointsOf(definition, input.raw);
  if (input.status !== 'observed') return null;
  const points =
    pointsOf(
      definition,
      input.raw === 0 && definition.scale === 'log' && definition.absent !== null ? null : input.raw,
    ) ?? definition.absent;
  return points === null ? null : adjustPoints(context, input.id, points);
}

function sourcesBehind(context: Context, input: FeatureInput): number {
  const names = input.basis.flatMap(
    (key) => context.input.consensus[key]?.voices.filter((voice) => voice.accepted).map((voice) => voice.source) ?? [],
  );
  return new Set(names).size;
}
