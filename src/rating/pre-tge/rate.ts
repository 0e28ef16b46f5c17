import type { Feature, Rating, TrustScore } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { scoreModel } from '../arithmetic/factors.ts';
import { trustOf } from '../arithmetic/trust.ts';
import { classify } from '../class.ts';
import type { Context } from '../context.ts';
import { buildFeature } from '../features/features.ts';
import type { RatingInput } from '../input.ts';
import { issue, trustCap } from '../issue.ts';
import { withLastAdverse } from '../missing-values.ts';
import { limitationsOf } from '../text.ts';
import { noVfr } from '../vfr/result.ts';
import { vfrBeforeToken } from '../vfr/rounds.ts';
import { backingFeatures } from './backing.ts';
import { contradictionsIn } from './contradictions.ts';
import { legalFeatures, tokenomicsFeatures } from './documents.ts';
import { hiddenSale, preTgeCaps, preTgeFlags } from './findings.ts';
import { communityFeatures, productFeatures } from './product.ts';
import { type PreTgeInput, type SiteRecord, siteRecord } from './site-record.ts';
import { teamFeatures } from './team.ts';
import { webFeatures } from './web.ts';

/**
 * The rating of a project before its token exists (methodology 3.5): what it discloses, weighted by who confirms each
 * statement. Uses the same arithmetic, trust and text as for tokens, without a market factor, with a separate prior and
 * with BBB as the best band. Pure.
 */
export function ratePreTge(input: RatingInput, methodology: Methodology): Rating {
  const { class: of, reason } = classify(input, methodology);
  const { category } = methodology.classes[of];
  const { asset, match } = input.identification;
  const context: Context = {
    input,
    methodology,
    class: of,
    category,
    kind: null,
    native: false,
    now: Date.parse(input.asOf),
  };
  const site = weighed(context, siteRecord(context));
  const features = featuresOf(context, site);
  const { factors, prior, caps } = methodology.preTge;
  const weights = new Map(factors.map((factor) => [factor.code as string, factor.weight]));
  const trust = trustOf(
    features.map((feature) => ({ ...feature, factorWeight: weights.get(feature.factor) ?? 0 })),
    match,
    // Not limited by lineage groups: before a token exists, nearly all evidence is the project's own statement, and BBB
    // is the best band.
    {},
    methodology,
  );
  const flags = preTgeFlags(context, site);
  return issue(
    {
      name: asset.name,
      scored: scoreModel(withLastAdverse(features, input.recall, methodology), factors, prior, methodology),
      trust,
      flags,
      caps: [...preTgeCaps(context, site, flags), ...trustCap(trust)],
      notRated: notRatedReasons(features, input, methodology, trust),
      isProven: hiddenSale(context, site) !== null,
      defaulted: null,
    },
    {
      class: of,
      category,
      categoryReason: reason,
      outlook: 'provisional',
      limitations: [...limitationsOf(context, trust, flags), ...limitationsHere(context, site)],
      isProvisional: true,
      like: { stage: 'pre_tge', rank: null, ageDays: null },
      vfrOf: (band, trustScore, score) =>
        band === 'NR' ? noVfr('the project is not rated') : vfrBeforeToken(context, { score, trust: trustScore }),
    },
    { ...methodology, caps: [...methodology.caps, ...caps] },
  );
}

/**
 * Each contradiction lowers the confidence of all statements of the project. A withheld page counts too, because it may
 * contain one.
 */
function weighed(context: Context, site: SiteRecord): SiteRecord {
  const { contradictionDiscount, lostPagesMost } = context.methodology.preTge.thresholds;
  const unseen = site.isLandingLost ? lostPagesMost : Math.min(site.lost, lostPagesMost);
  const doubts = contradictionsIn(context, site).length + unseen;
  return { ...site, credibility: 1 / (1 + contradictionDiscount * doubts) };
}

function featuresOf(context: Context, site: SiteRecord): readonly Feature[] {
  const inputs: readonly PreTgeInput[] = [
    teamFeatures,
    productFeatures,
    backingFeatures,
    tokenomicsFeatures,
    legalFeatures,
    webFeatures,
    communityFeatures,
  ].flatMap((read) => read(context, site));
  const byId = new Map(inputs.map((input) => [input.id, input]));
  const { features, prior } = context.methodology.preTge;
  return features.map((definition) => {
    const found = byId.get(definition.id);
    if (!found) throw new Error(`feature ${definition.id} of the methodology is not computed`);
    const { credit = 1, isBare = false, ...input } = found;
    const silence = definition.silence.points ?? prior;
    const feature = buildFeature(context, input, definition, prior, (points) =>
      points > silence ? silence + credit * (points - silence) : points,
    );
    return isBare ? { ...feature, status: 'absent' } : feature;
  });
}

/** Why the evidence is insufficient for a rating (methodology 2.2); empty when it is sufficient. */
function notRatedReasons(
  features: readonly Feature[],
  { identification }: RatingInput,
  methodology: Methodology,
  trust: TrustScore,
): readonly string[] {
  const { match, ownToken } = identification;
  const { minimumMatch, tiers } = methodology.trust;
  const essential = features.filter((feature) => methodology.preTge.essential.includes(feature.id));
  const weakest = tiers.find((row) => row.tier === 'weak')?.from ?? 0;
  return [
    ...(ownToken ? [`it has a token (${ownToken.id}): ask with type posttge`] : []),
    ...(trust.score < weakest ? [`trust in the evidence is ${trust.score}, below ${weakest}`] : []),
    ...(match < minimumMatch ? [`the identity match is ${match.toFixed(2)}, below ${minimumMatch}`] : []),
    ...(essential.every((feature) => feature.status === 'unknown')
      ? [`not known: ${essential.map((feature) => feature.name.toLowerCase()).join('; ')}`]
      : []),
  ];
}

function limitationsHere(context: Context, site: SiteRecord): readonly string[] {
  const sale = hiddenSale(context, site);
  return [
    ...(sale === null ? [] : [`A token is sold while none is claimed: ${sale.detail}.`]),
    'Rated before its token: there is no market record, the rating is provisional.',
    ...(site.isRead
      ? ['What only the project’s own site states counts as a claim, at low confidence.']
      : ['Too little of the project’s site could be read for its silence to mean anything.']),
    ...(site.of('machine_text').length > 0
      ? ['A page addresses automated readers; it is shown as evidence and was not followed.']
      : []),
  ];
}
