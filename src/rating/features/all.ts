import type { Feature } from '../../domain/index.ts';
import type { Context } from '../context.ts';
import { buildFeature } from './build.ts';
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
    const { prior } = context.methodology.aggregation;
    return buildFeature(context, input, definition, prior, (points) => adjustPoints(context, input.id, points));
  });
}
