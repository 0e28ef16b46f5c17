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
    /** Share of the project that a round is assumed to sell where only its amount is public. */
    soldShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    /** Added to the standard deviation then. */
    amountOnlySd: Type.Number({ minimum: 0 }),
    sdFloor: Type.Number({ exclusiveMinimum: 0 }),
    /** Standard deviations that a score `scoreSpread` points above `scoreCentre` adds to the fair value. */
    scoreEffect: number,
    scoreCentre: number,
    scoreSpread: Type.Number({ exclusiveMinimum: 0 }),
    minimumRounds: Type.Integer(),
    /** Days after which a round of a peer is not evidence of today's prices. */
    maximumAgeDays: number,
    /** Larger amounts are assumed to have a wrong unit: no round was ever that large. US dollars. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
  },
  strict,
);

/** How the ratio of market value to fair value is computed (methodology 5). */
export const vfr = Type.Object(
  {
    minimumPeers: Type.Integer(),
    /** Values and drivers of peers from this value on are errors of unit. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
    pseudoCount: number,
    sdFloor: number,
    sdMaximum: number,
    driverCorrelation: unit,
    minimumDriverConfidence: unit,
    minimumTrust: number,
    minimumR2: unit,
    ridgeLambda: number,
    /** Half the width of the interval in standard deviations, and the share of peers it must hold. */
    intervalZ: number,
    intervalShare: unit,
    /**
     * Factor of the interval's width for an asset without a reviewed history: the errors of one asset's months are
     * correlated.
     */
    clusterWidening: Type.Number({ minimum: 1 }),
    /** Limit of residuals and logs of peers, in robust standard deviations from their middle. */
    winsorDeviations: Type.Number({ exclusiveMinimum: 0 }),
    /** Days of the medians; `sums` are sums over many days already and are not smoothed. */
    smoothing: Type.Object({ days: Type.Integer({ minimum: 1 }), sums: Type.Array(quantity) }, strict),
    /** Weak drivers of every category: their confidence is multiplied by `share`, and none counts alone. */
    weak: Type.Object({ quantities: Type.Array(quantity), share: unit }, strict),
    rounds,
    zones: Type.Object({ deep: number, mild: number, fairRatio: number }, strict),
    peg: Type.Object(
      {
        stablecoinFair: number,
        lstFair: number,
        metalFair: number,
        mild: number,
        /** A token that differs by more than this factor from the price of an ounce of its metal has another unit. */
        unitFactor: Type.Number({ exclusiveMinimum: 1 }),
        /** Terms under which registries file dollar stablecoins, in lower case. */
        dollarWords: texts,
        /** Subcategories whose yield accumulates in the price: worth more than a dollar by an unknown amount. */
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
    /** Kinds of owners that count neither as holders nor as supply. */
    outsideSupply: labelKinds,
    /** Kinds that are not holders but count as supply. */
    notHolders: labelKinds,
    /** True when the pools of the evidence name the owners at their addresses. */
    namesPools: Type.Boolean(),
    /** Lineage groups that must label an owner as an exchange or a bridge, where the chain does not show it. */
    labelFamilies: count,
    /**
     * Contracts that the chain proves to be governed by a vote: not holders up to `most` of the supply; above it they
     * count with `weight`.
     */
    treasury: Type.Object({ most: unit, weight: unit }, strict),
  },
  strict,
);

const ramp = Type.Tuple([positive, positive]);

/** Numbers of the figures that only ratings compute (docs/decisions/0029-one-definition-per-metric.md). */
const metrics = Type.Object(
  {
    /** Confidence in concentration by lists of holders. */
    holderLists: Type.Object(
      {
        /** Agreement is one half where the share of the ten largest differs by this between lists. */
        agreementSpread: unit,
        /** Least independence of lists of which one was read from the chain. */
        chainIndependence: unit,
        /**
         * Loss of confidence where none of the twenty largest is labelled; `someLabels`: the part of it where any label
         * is known.
         */
        unlabelledDiscount: unit,
        someLabels: unit,
      },
      strict,
    ),
    depth: Type.Object(
      {
        /** Highest confidence of depth estimated from liquidity. */
        proxyConfidence: unit,
        /** Venues with a smaller share of the depth are not named as its basis. */
        smallestPart: unit,
      },
      strict,
    ),
    /**
     * Exchanges whose reported volume counts, by canonical id: those with enough supporting lists in
     * registers/counted-exchanges.json.
     */
    countedExchanges: Type.Array(text, { minItems: 1, uniqueItems: true }),
    /** Estimate of the wash share. A ramp counts nothing below its first number and fully from its second on. */
    wash: Type.Object(
      {
        /** Contribution of one test, and of all together. */
        testShare: unit,
        most: unit,
        /** Second highest test result from which the highest one counts fully. */
        borneOut: unit,
        /** Highest confidence of the estimate. */
        confidence: unit,
        /** Volume of a day over liquidity. */
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
    /** Days for which the last adverse points of a third party's feature are kept while it makes no statement. */
    adverseDays: positive,
    /**
     * Facts of the launch (holders of the pools, other tokens of its creator) count while a token is younger than this
     * number of days, ...
     */
    launchDays: positive,
    /** ... and as long as more than this share of its volume is traded in pools. */
    launchPoolShare: unit,
  },
  strict,
);

const classes = Type.Array(assetClass);

/**
 * How the class of an asset is decided from evidence (`src/rating/class.ts`). Terms are lower case, letters and digits.
 */
const classRules = Type.Object(
  {
    /** Classes by terms of registries; the first that fits applies. */
    words: classes,
    /** Classes of an asset with a row in the register of issuers; the first whose terms fit. */
    issued: classes,
    /** Classes of an asset with a peg; the first whose terms fit. */
    pegs: classes,
    /**
     * Number of registries, by lineage, that must file an asset alike before their terms override a row or a list about
     * the mechanism of its peg.
     */
    wordFamilies: count,
    /** Classes as which registries may file a native coin without a row in a register: lower than its own. */
    overNative: classes,
    /** Terms of any stablecoin, whatever its backing. */
    stable: texts,
    /** Themes that assets of every kind share: they count where no other term fits. */
    weak: texts,
    /** All classes, that with the lowest ceiling first: it applies where evidence disagrees. */
    ceiling: classes,
    /** Class by the `kind` of a row in the register of protocols. */
    rows: Type.Record(text, assetClass),
    /** Class by the `kind` of a row in the register of issuers. */
    issuers: Type.Record(text, assetClass),
    /** Class by the mechanism of the peg. */
    mechanisms: Type.Record(text, assetClass),
    /** Class by the category of the protocol that the token belongs to. */
    protocols: Type.Record(text, assetClass),
    /** Holder's claim that a token also filed as a memecoin must have to be of another class. */
    proof: texts,
    /** Location or holder of a token: "BNB Chain Ecosystem" does not make it a chain. */
    ignoredEndings: texts,
    /** What its protocol does: the governance token of a stablecoin issuer is not a stablecoin. */
    ignored: texts,
    /** A token that governs a protocol is not what the protocol issues: never one of `notOfGovernance`. */
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
    /** Its name among the categories of the API. */
    category,
    /** Name of its weights of factors (`weightTables`). */
    weights: text,
    /** Names of its weights of features (`featureTables`), by factor; a factor without one does not apply. */
    features: byFactor,
    /** Replacement where a register names the issuer that holds the backing. */
    withIssuer: byFactor,
    /** Replacement where the asset is a vault that has lent or sold its deposits. */
    asCreditVault: Type.Optional(byFactor),
    /** Terms under which registries file it. */
    keywords: texts,
  },
  strict,
);

const change = Type.Object(
  { version: text, date: text, kind: Type.Enum(['MAJOR', 'MINOR', 'PATCH']), reason: text, effect: text },
  strict,
);

/** A file of the methodology. All types of the methodology (`types.ts`) are made of it. */
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
    /** Weights of factors, by name; each sums to 100. The weight of a factor that does not apply goes to the others. */
    weightTables: Type.Record(text, Type.Record(factor, number, strict)),
    /** Weights of features inside a factor, by name; each sums to 1. */
    featureTables: Type.Record(text, Type.Record(text, unit)),
    factors: Type.Record(factor, Type.Object({ name: text }, strict), strict),
    features: Type.Array(feature),
    featureRules,
    flags: Type.Array(flag),
    flagConfidence,
    /** Least confidence of a flag that caps; `factual`: of a flag that states a measured fact. */
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

/** A file of the methodology; its fields are described where they are checked (`schema.ts`). */
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
