import Type from 'typebox';
import type { QuantityId } from '../domain/index.ts';
import { QUANTITIES, TIER_ORDER } from '../domain/index.ts';
import { count, nullable, positive, strict, text, unit } from './terms.ts';

const number = Type.Number();

/** How observations of one class of quantities are compared (methodology 1.3). */
const quantityClass = Type.Object(
  {
    /**
     * s0, in the transformed scale: a fraction for ln and linear-relative classes, logit units for shares, days for
     * dates.
     */
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
     * Covers every quantity. Type.Record would build the same schema, but in time quadratic in the number of names (a
     * tenth of a second).
     */
    classOf: Type.Unsafe<Record<QuantityId, string>>(
      Type.Object(Object.fromEntries(Object.keys(QUANTITIES).map((name) => [name, text])), strict),
    ),
    /** Depth (liquidity times `depthShare`) above which the price counts as liquid, US dollars. */
    liquidDepthUsd: number,
    /** Assumed depth on one side of a 2 % move, as a share of the liquidity of all pools. */
    depthShare: unit,
    outlierZ: number,
    /** Number of lineage groups that form a majority: from it on, outliers are rejected and weights are capped. */
    majorityFamilies: count,
    groupWeightCap: unit,
    minimumBinding: unit,
    disputeNoiseMultiple: number,
    /**
     * A number of at least `majorityFamilies` lineage groups is disputed if at most this share of their weight lies
     * within `disputeNoiseMultiple` noise floors of it. Absent: only two groups can dispute a number.
     */
    numberMajority: Type.Optional(unit),
    /**
     * The chain decides on what exists on it: a supply is disputed if the chain reads more, its growth is measured
     * between readings of the chain, and what registries add up over several chains is a value of its own. Absent: by
     * the number of groups, as for other numbers.
     */
    chainDecides: Type.Optional(Type.Literal(true)),
    /** Agreement is one half if values differ by this number of noise floors. */
    agreementNoiseMultiple: positive,
    /** Votes and texts are disputed if the winning share of the weight is below this value. */
    disputeMajority: unit,
    /** Zero against non-zero is disputed if the losing side has at least this share of the weight. */
    zeroDispute: unit,
    /** Agreement of dates is one half if they differ by this number of noise floors. */
    dateNoiseMultiple: positive,
    disputedConfidenceCap: unit,
    singleSourceConfidenceCap: unit,
    chainIndependence: Type.Object({ oneOperator: unit, twoOperators: unit }, strict),
    /** Agreement of a chain reading that all other votes contradict. */
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
    /** Difference in powers of ten from which a weakly linked outlier may belong to another token. */
    wrongTokenPowers: positive,
    identityPenalty: unit,
    /** Minimum daily volume, US dollars, for comparing volume with liquidity. */
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
    /** Largest plausible value by unit; a larger number counts as a unit error. */
    largest: Type.Record(text, positive),
    /** Share of correct values by stated confidence (methodology 2.4): [confidence from, share]. */
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
    /** Factor applied to agreement while an accusation is unconfirmed (flag ACCUSATION_UNCONFIRMED). */
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
     * Limits for contradictions between a domain and a token: the domain is younger than the first limit and the token
     * older than the second, or the domain resembles that of a project with at least this rank.
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
