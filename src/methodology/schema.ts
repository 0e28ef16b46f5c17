import Type, { type Static } from 'typebox';
import { FACTOR_CODES, LABEL_KINDS } from '../domain/index.ts';
import type { Calibration } from './calibration.ts';
import { consensus, trust } from './consensus-schema.ts';
import { cap, feature, featureRules, flag, flagConfidence, preTge } from './features-schema.ts';
import { publication } from './publication-schema.ts';
import {
  assetClass,
  band,
  category,
  count,
  type Frozen,
  nullable,
  positive,
  quantity,
  strict,
  text,
  texts,
  unit,
} from './terms.ts';

const number = Type.Number();

/** Value of projects before their token, by their last public round (methodology 5). */
const rounds = Type.Object(
  {
    /** Assumed share of the project sold in a round whose amount alone is public. */
    soldShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    /** Added to the standard deviation in that case. */
    amountOnlySd: Type.Number({ minimum: 0 }),
    sdFloor: Type.Number({ exclusiveMinimum: 0 }),
    /** Standard deviations that are added to the fair value for a score `scoreSpread` points above `scoreCentre`. */
    scoreEffect: number,
    scoreCentre: number,
    scoreSpread: Type.Number({ exclusiveMinimum: 0 }),
    minimumRounds: Type.Integer(),
    /** Age in days above which a peer's round is no evidence of today's prices. */
    maximumAgeDays: number,
    /** Amounts above this value, in US dollars, are assumed to have a wrong unit: no round was ever that large. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
  },
  strict,
);

/** How the ratio of market value to fair value is computed (methodology 5). */
export const vfr = Type.Object(
  {
    minimumPeers: Type.Integer(),
    /** Values and drivers of peers at or above this amount count as unit errors. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
    pseudoCount: number,
    sdFloor: number,
    sdMaximum: number,
    driverCorrelation: unit,
    minimumDriverConfidence: unit,
    minimumTrust: number,
    minimumR2: unit,
    ridgeLambda: number,
    /** Half the width of the interval in standard deviations, and the share of peers that it must contain. */
    intervalZ: number,
    intervalShare: unit,
    /**
     * Factor by which the interval is widened for an asset without a reviewed history, because the errors of its months
     * are correlated.
     */
    clusterWidening: Type.Number({ minimum: 1 }),
    /** Limit for residuals and logs of peers, in robust standard deviations from the median. */
    winsorDeviations: Type.Number({ exclusiveMinimum: 0 }),
    /** Number of days in the medians. The quantities in `sums` are already sums over many days and are not smoothed. */
    smoothing: Type.Object({ days: Type.Integer({ minimum: 1 }), sums: Type.Array(quantity) }, strict),
    /** Weak drivers, for all categories: their confidence is multiplied by `share`, and none is sufficient alone. */
    weak: Type.Object({ quantities: Type.Array(quantity), share: unit }, strict),
    rounds,
    zones: Type.Object({ deep: number, mild: number, fairRatio: number }, strict),
    peg: Type.Object(
      {
        stablecoinFair: number,
        lstFair: number,
        metalFair: number,
        mild: number,
        /**
         * A token whose price differs from the price of an ounce of its metal by more than this factor has another
         * unit.
         */
        unitFactor: Type.Number({ exclusiveMinimum: 1 }),
        /** Terms under which registries list dollar stablecoins, in lower case. */
        dollarWords: texts,
        /** Subcategories of coins whose price accrues yield: they are worth more than a dollar by an unknown amount. */
        accruingWords: texts,
      },
      strict,
    ),
    /** Peers from the lists of all assets. */
    listed: Type.Object({ mostOfClass: Type.Integer({ minimum: 1 }) }, strict),
    /** Drivers of each class; a class without any is valued by its redemption value. */
    drivers: Type.Record(assetClass, Type.Array(quantity), strict),
  },
  strict,
);

const factor = Type.Enum(FACTOR_CODES);
const labelKinds = Type.Array(Type.Enum(LABEL_KINDS));

/** What the adjusted view of holders excludes, and how (docs/decisions/0029-one-definition-per-metric.md). */
const holders = Type.Object(
  {
    /** Kinds of owners that count neither as holders nor towards the supply. */
    outsideSupply: labelKinds,
    /** Kinds of owners that are no holders but count towards the supply. */
    notHolders: labelKinds,
    /** True when the pools of the evidence name the owners at their addresses. */
    namesPools: Type.Boolean(),
    /** Number of lineage groups that must label an owner as an exchange or a bridge if the chain does not show it. */
    labelFamilies: count,
    /**
     * Contracts that, as the chain proves, are governed by votes: not holders up to the share `most` of the supply,
     * above it counted with `weight`.
     */
    treasury: Type.Object({ most: unit, weight: unit }, strict),
  },
  strict,
);

const ramp = Type.Tuple([positive, positive]);

/** Parameters of metrics that only ratings compute (docs/decisions/0029-one-definition-per-metric.md). */
const metrics = Type.Object(
  {
    /** Confidence in the concentration computed from holder lists. */
    holderLists: Type.Object(
      {
        /** Difference between lists, in the share of the ten largest, at which agreement is one half. */
        agreementSpread: unit,
        /** Minimum independence if one of the lists was read from the chain. */
        chainIndependence: unit,
        /**
         * Reduction of confidence if none of the twenty largest is labelled; `someLabels`: the part of it that applies
         * if any label is known.
         */
        unlabelledDiscount: unit,
        someLabels: unit,
      },
      strict,
    ),
    depth: Type.Object(
      {
        /** Maximum confidence of a depth estimated from liquidity. */
        proxyConfidence: unit,
        /** Venues with a smaller share of the depth are not listed as its basis. */
        smallestPart: unit,
        /**
         * Maximum multiple of the liquidity whose counter side a source shows that the total counts for. Absent: the
         * stated total counts (before 1.8.0).
         */
        mostOverShown: Type.Optional(positive),
      },
      strict,
    ),
    /**
     * Canonical ids of exchanges whose reported volume counts: those with enough supporting lists in
     * registers/counted-exchanges.json.
     */
    countedExchanges: Type.Array(text, { minItems: 1, uniqueItems: true }),
    /** Estimate of the wash share. A ramp is 0 up to its first number and 1 from its second number. */
    wash: Type.Object(
      {
        /** Maximum contribution of one test, and of all tests together. */
        testShare: unit,
        most: unit,
        /** The highest test result counts fully if the second highest is at least this value. */
        borneOut: unit,
        /** Maximum confidence of the estimate. */
        confidence: unit,
        /** Daily volume divided by liquidity. */
        turnover: ramp,
        usdPerTrader: ramp,
        tradesPerTrader: ramp,
      },
      strict,
    ),
  },
  strict,
);

const aggregation = Type.Object(
  {
    floor: number,
    shrinkConstant: number,
    prior: number,
    intervalZ: number,
    sigmaUnknown: number,
    sigmaBase: number,
    exposureDays: number,
    /** Days after which a holder count has its full confidence. */
    holderExposureDays: number,
    /**
     * Days for which the last adverse points of a third party's feature are kept while the third party states nothing.
     */
    adverseDays: positive,
    /**
     * Facts about the launch (holders of the pools, the creator's other tokens) count while the token is younger than
     * this number of days, ...
     */
    launchDays: positive,
    /** ... and as long as more than this share of its volume trades in pools. */
    launchPoolShare: unit,
  },
  strict,
);

const classes = Type.Array(assetClass);

/**
 * How the class of an asset is decided from evidence (`src/rating/class.ts`). Terms consist of lower-case letters and
 * digits.
 */
const classRules = Type.Object(
  {
    /** Order of classes for terms of registries; the first match applies. */
    words: classes,
    /** Order of classes for an asset in the register of issuers; the first match applies. */
    issued: classes,
    /** Order of classes for an asset with a peg; the first match applies. */
    pegs: classes,
    /**
     * Number of lineage groups whose registries must list an asset alike before their terms override a row or a list
     * about the mechanism of its peg.
     */
    wordFamilies: count,
    /**
     * Classes under which registries may list a native coin without a register row; they rank lower than its own class.
     */
    overNative: classes,
    /** Terms that identify any stablecoin, whatever its backing. */
    stable: texts,
    /** Themes used for assets of every kind: they count only if no other term matches. */
    weak: texts,
    /** All classes by ceiling, lowest first: the first one applies where evidence disagrees. */
    ceiling: classes,
    /** Class by the `kind` of a row in the register of protocols. */
    rows: Type.Record(text, assetClass),
    /** Class by the `kind` of a row in the register of issuers. */
    issuers: Type.Record(text, assetClass),
    /** Class by the mechanism of the peg. */
    mechanisms: Type.Record(text, assetClass),
    /** Class by the category of the protocol that the token belongs to. */
    protocols: Type.Record(text, assetClass),
    /** Holder claims that put a token into another class although it is also listed as a memecoin. */
    proof: texts,
    /**
     * Endings of terms that only state where a token exists or who holds it: "BNB Chain Ecosystem" does not make it a
     * chain.
     */
    ignoredEndings: texts,
    /** Terms about what the protocol does: the governance token of a stablecoin issuer is not a stablecoin. */
    ignored: texts,
    /**
     * Terms for governance tokens. Such a token is not what its protocol issues, and never of a class in
     * `notOfGovernance`.
     */
    governance: texts,
    notOfGovernance: classes,
  },
  strict,
);

const byFactor = Type.Partial(Type.Record(factor, text, strict));

/** Model of a class of assets. */
const ratedBy = Type.Object(
  {
    title: text,
    /** Category name that the API uses. */
    category,
    /** Name of the class's factor weights (`weightTables`). */
    weights: text,
    /** Names of the class's feature weights (`featureTables`), by factor. A factor without one does not apply. */
    features: byFactor,
    /** Replaces `features` if a register names an issuer that holds the backing. */
    withIssuer: byFactor,
    /** Replaces `features` if the asset is a vault that has lent or sold its deposits. */
    asCreditVault: Type.Optional(byFactor),
    /** Terms under which registries list assets of the class. */
    keywords: texts,
  },
  strict,
);

const change = Type.Object(
  { version: text, date: text, kind: Type.Enum(['MAJOR', 'MINOR', 'PATCH']), reason: text, effect: text },
  strict,
);

/** A file of the methodology. All types of the methodology (`types.ts`) are derived from it. */
export const methodologySchema = Type.Object(
  {
    version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    date: text,
    consensus,
    trust,
    aggregation,
    holders,
    metrics,
    bands: Type.Array(Type.Object({ band, from: number, failureTarget: nullable(number), meaning: text }, strict)),
    classRules,
    classes: Type.Record(assetClass, ratedBy, strict),
    /**
     * Factor weights by name; each table sums to 100. The weight of a factor that does not apply goes to the others.
     */
    weightTables: Type.Record(text, Type.Record(factor, number, strict)),
    /** Feature weights within a factor, by name; each table sums to 1. */
    featureTables: Type.Record(text, Type.Record(text, unit)),
    factors: Type.Record(factor, Type.Object({ name: text }, strict), strict),
    features: Type.Array(feature),
    featureRules,
    flags: Type.Array(flag),
    flagConfidence,
    /** Minimum confidence of a flag that caps; `factual`: of a flag that states a measured fact. */
    capConfidence: Type.Object({ enough: unit, factual: unit }, strict),
    caps: Type.Array(cap),
    publication,
    preTge,
    /** What changed in each version, newest first. */
    changes: Type.Array(change, { minItems: 1 }),
    vfr,
  },
  strict,
);

/** A file of the methodology; its fields are documented in the schema (`schema.ts`). */
export type MethodologyContent = Frozen<Static<typeof methodologySchema>>;
export interface Methodology extends MethodologyContent {
  /** SHA-256 of the canonical JSON of the file, hex. Filled by the loader. */
  readonly hash: string;
  /** How ratings become probabilities of failure. */
  readonly calibration: Calibration;
}

export type QuantityClass = Methodology['consensus']['classes'][string];
export type FeatureDefinition = Methodology['features'][number];
export type FlagDefinition = Methodology['flags'][number];
export type CapDefinition = Methodology['caps'][number];
export type PublicationRules = Methodology['publication'];
export type FloorRules = PublicationRules['floor'];
export type CriticalQuantity = FloorRules['critical'][number];
export type VfrRounds = Methodology['vfr']['rounds'];
export type MethodologyChange = Methodology['changes'][number];
