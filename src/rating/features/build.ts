import type { Feature, FeatureInput } from '../../domain/rating.ts';
import type { FeatureDefinition } from '../../methodology/types.ts';
import { pointsOf } from '../../methodology/value-function.ts';
import type { Context } from '../context.ts';
import { featureRationale } from '../words/rationale.ts';

/**
 * A feature with its points by the methodology's value function. `adjust` is what a model does to the points beyond it (an audit
 * that has aged).
 */
export function buildFeature(
  context: Context,
  input: FeatureInput,
  definition: FeatureDefinition,
  adjust: (points: number) => number = (points) => points,
): Feature {
  const points = pointsFor(input, definition, adjust);
  return {
    ...input,
    name: definition.name,
    factor: definition.factor,
    weight: definition.weight[context.category] ?? definition.weight['*'] ?? 0,
    critical: definition.critical,
    score: points,
    rationale: featureRationale(input, definition, points, sourcesBehind(context, input)),
  };
}

function pointsFor(
  input: FeatureInput,
  definition: FeatureDefinition,
  adjust: (points: number) => number,
): number | null {
  if (input.status === 'absent') return definition.absent ?? pointsOf(definition, input.raw);
  if (input.status !== 'observed') return null;
  const isLogOfZero = input.raw === 0 && definition.scale === 'log' && definition.absent !== null;
  const points = pointsOf(definition, isLogOfZero ? null : input.raw) ?? definition.absent;
  return points === null ? null : adjust(points);
}

function sourcesBehind(context: Context, input: FeatureInput): number {
  const names = input.basis.flatMap(
    (key) => context.input.consensus[key]?.voices.filter((voice) => voice.accepted).map((voice) => voice.source) ?? [],
  );
  return new Set(names).size;
}
