import Type from 'typebox';
import type { QuantityId } from '../domain/index.ts';
import { QUANTITIES, TIER_ORDER } from '../domain/index.ts';
import { count, nullable, positive, strict, text, unit } from './terms.ts';

const number = Type.Number();

/** How observations of one class of quantities are compared (methodology 1.3). */
const quantityClass = Type.Object(
  {
    /** s0, in the transformed scale: a fraction for ln and linear-relative classes, logit units for shares, days for dates. */
    noise: Type.Number({ exclusiveMinimum: 0 }),
    halfLifeSeconds: Type.Number({ exclusiveMinimum: 0 }),
    maxAgeSeconds: number,
    /** Independent lineage groups needed for full points. */
    quorum: Type.Integer({ minimum: 1 }),
    authoritativeTier: nullable(Type.Enum(TIER_ORDER)),
  },
  strict,
);

export const consensus = Type.Object(
  {
    classes: Type.Record(text, quantityClass),
    /**
     * For every quantity. Type.Record makes the same schema in time quadratic in the number of names: a tenth of a
     * second.
     */
    classOf: Type.Unsafe<Record<QuantityId, string>>(
      Type.Object(Object.fromEntries(Object.keys(QUANTITIES).map((name) => [name, text])), strict),
    ),
    /** Liquidity from which the price counts as liquid, US dollars. */
    liquidDepthUsd: number,
    /** Depth on one side of a 2 % move, as a share of the liquidity of all pools. */
    depthShare: unit,
    outlierZ: number,
    /** From this number of lineage groups on there is a majority: outliers are rejected and weights are capped. */
    majorityFamilies: count,
    groupWeightCap: unit,
    minimumBinding: unit,
    disputeNoiseMultiple: number,
    /** Agreement is one half where values differ by this number of noise floors. */
    agreementNoiseMultiple: positive,
    /** Votes and texts are disputed below this share of the weight. */
    disputeMajority: unit,
    /** Zero against non-zero is disputed from this share of the weight on. */
    zeroDispute: unit,
    /** Agreement of dates is one half where they differ by this number of noise floors. */
    dateNoiseMultiple: positive,
    disputedConfidenceCap: unit,
    singleSourceConfidenceCap: unit,
    chainIndependence: Type.Object({ oneOperator: unit, twoOperators: unit }, strict),
    /** Agreement of a chain read that all other votes contradict. */
    chainAgreement: unit,
    /** Probability that one independent lineage group is wrong. */
    errorChance: unit,
    correlations: Type.Array(Type.Object({ families: Type.Tuple([text, text]), rho: unit }, strict)),
    /** Lineage groups with correlated errors that share their weight (docs/lineage.md). Absent: none. */
    copying: Type.Optional(Type.Array(Type.Object({ families: Type.Tuple([text, text]), rho: unit }, strict))),
    defaultCorrelation: unit,
    chainCorrelation: unit,
    unitPowers: Type.Array(Type.Integer()),
    unitResidual: unit,
    /** Powers of ten from which an outlier that is weakly linked to the asset may be another token. */
    wrongTokenPowers: positive,
    identityPenalty: unit,
    /** Below this daily volume, US dollars, volume is not compared with liquidity. */
    identityVolumeUsd: positive,
    /** Tolerances of the identities between quantities (methodology 1.4), by code. */
    identities: Type.Object(
      {
        mcap_price_circulating: unit,
        circulating_within_total: unit,
        total_within_max: unit,
        fdv_above_mcap: unit,
        volume_liquidity_multiple: positive,
        declared_chain_supply: unit,
        age_order_days: positive,
      },
      strict,
    ),
    /** Largest plausible value, by unit; a larger number is an error of unit. */
    largest: Type.Record(text, positive),
    /** How often values of a stated confidence were right (methodology 2.4): [confidence from, share]. */
    calibration: Type.Object({ reason: text, steps: Type.Array(Type.Tuple([unit, unit]), { minItems: 1 }) }, strict),
  },
  strict,
);

export const trust = Type.Object(
  {
    exponents: Type.Object({ coverage: unit, agreement: unit, independence: unit, freshness: unit }, strict),
    tiers: Type.Array(
      Type.Object(
        {
          tier: Type.Enum(['high', 'adequate', 'limited', 'weak', 'insufficient']),
          from: number,
          cap: nullable(number),
        },
        strict,
      ),
    ),
    minimumMatch: unit,
    observedConfidence: unit,
    absentCredit: unit,
    criticalMultiple: number,
    /** Factor of agreement while an unconfirmed accusation is open (flag ACCUSATION_UNCONFIRMED). */
    unconfirmedAgreement: unit,
    /** By kind of link (`domain/identification.ts`). */
    linkStrengths: Type.Object(
      {
        site_shows_token: unit,
        registry_lists_domain: unit,
        metadata_names_domain: unit,
        socials_agree: unit,
        name_symbol_match: unit,
        ownership_proof: unit,
        registry_of_natives: unit,
      },
      strict,
    ),
    /**
     * When a domain contradicts a token: the domain is younger than this and the token older than that, or it resembles
     * the domain of a project of this rank.
     */
    contradictionLimits: Type.Object(
      { youngDomainDays: positive, oldTokenDays: positive, wellKnownRank: count },
      strict,
    ),
    /** By kind of contradiction. */
    contradictionFactors: Type.Object(
      {
        higher_ranked_claims_domain: unit,
        confusable_domain: unit,
        site_dead: unit,
        domain_younger_than_token: unit,
        two_tokens_claim_site: unit,
      },
      strict,
    ),
  },
  strict,
);
