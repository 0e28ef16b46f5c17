import Type from 'typebox';
import type { QuantityId } from '../domain/index.ts';
import { TIER_ORDER } from '../domain/index.ts';
import { nullable, positive, quantity, strict, text, unit } from './terms.ts';

const number = Type.Number();

/** How observations of one class of quantities are compared (methodology 1.3). */
const quantityClass = Type.Object(
  {
    /** s0, in the transformed scale: a fraction for ln and linear-relative classes, logit units for shares, days for dates. */
    noise: Type.Number({ exclusiveMinimum: 0 }),
    halfLifeSeconds: Type.Number({ exclusiveMinimum: 0 }),
    maxAgeSeconds: number,
    /** Independent lineage groups needed for full marks. */
    quorum: Type.Integer({ minimum: 1 }),
    authoritativeTier: nullable(Type.Enum(TIER_ORDER)),
  },
  strict,
);

export const consensus = Type.Object(
  {
    classes: Type.Record(text, quantityClass),
    /** For every quantity there is. Named here: a record over a list that code computes has no keys for the compiler. */
    classOf: Type.Unsafe<Record<QuantityId, string>>(Type.Record(quantity, text, strict)),
    /** Liquidity from which the price counts as liquid, US dollars. */
    liquidDepthUsd: number,
    outlierZ: number,
    readmissionShare: unit,
    groupWeightCap: unit,
    minimumBinding: unit,
    disputeNoiseMultiple: number,
    disputedConfidenceCap: unit,
    singleSourceConfidenceCap: unit,
    chainIndependence: Type.Object({ oneOperator: unit, twoOperators: unit }, strict),
    correlations: Type.Array(Type.Object({ families: Type.Tuple([text, text]), rho: unit }, strict)),
    defaultCorrelation: unit,
    chainCorrelation: unit,
    unitPowers: Type.Array(Type.Integer()),
    unitResidual: unit,
    identityPenalty: unit,
    /** Tolerances of the identities between quantities (methodology 1.4), by code. */
    identities: Type.Object(
      {
        mcap_price_circulating: unit,
        circulating_within_total: unit,
        total_within_max: unit,
        fdv_above_mcap: unit,
        volume_liquidity_multiple: positive,
        declared_chain_supply: unit,
        /** No identity reads it; it stays in the file, whose hash is published, until the next version. */
        top_shares_sum: unit,
        age_order_days: positive,
      },
      strict,
    ),
    /** How often values stated with a confidence were right (methodology 2.4): [confidence from, share]. */
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
    /** By kind of link (`domain/identification.ts`). */
    linkStrengths: Type.Object(
      {
        site_shows_token: unit,
        registry_lists_domain: unit,
        metadata_names_domain: unit,
        socials_agree: unit,
        name_symbol_match: unit,
        ownership_proof: unit,
      },
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
