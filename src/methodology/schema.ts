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
    /** Days: an older round of a peer says nothing of today's prices. */
    maximumAgeDays: number,
    /** No round ever was as large: rather a wrong unit. US dollars. */
    largestUsd: Type.Number({ exclusiveMinimum: 0 }),
  },
  strict,
);

/** How the ratio of market value to fair value is computed (methodology 5). */
export const vfr = Type.Object(
  {
    minimumPeers: Type.Integer(),
    /** Values and drivers of peers from this on are errors of unit. */
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
    /** The interval is so many times as wide for an asset whose own history nobody has looked at: months of one asset err together. */
    clusterWidening: Type.Number({ minimum: 1 }),
    /** Residuals and logs of peers count at most so many robust standard deviations from their middle. */
    winsorDeviations: Type.Number({ exclusiveMinimum: 0 }),
    /** Medians over so many days; `sums` are sums over many days already and stay as they are. */
    smoothing: Type.Object({ days: Type.Integer({ minimum: 1 }), sums: Type.Array(quantity) }, strict),
    /** Drivers of every category that say little: their confidence is multiplied by `share`, and none stands alone. */
    weak: Type.Object({ quantities: Type.Array(quantity), share: unit }, strict),
    rounds,
    zones: Type.Object({ deep: number, mild: number, fairRatio: number }, strict),
    peg: Type.Object(
      {
        stablecoinFair: number,
        lstFair: number,
        metalFair: number,
        mild: number,
        /** A token further than this factor from an ounce of its metal is of another unit. */
        unitFactor: Type.Number({ exclusiveMinimum: 1 }),
        /** What registries file dollar stablecoins under, in lower case. */
        dollarWords: texts,
        /** Parts of what they file those under that gather their yield in their price: worth more than a dollar, by how much is not said. */
        accruingWords: texts,
      },
      strict,
    ),
    /** Peers that the lists of all assets give. */
    listed: Type.Object({ mostOfClass: Type.Integer({ minimum: 1 }) }, strict),
    /** Drivers of each class; a class without any is valued by what it can be redeemed for. */
    drivers: Type.Record(assetClass, Type.Array(quantity), strict),
  },
  strict,
);

const factor = Type.Enum(FACTOR_CODES);
const labelKinds = Type.Array(Type.Enum(LABEL_KINDS));

/** What leaves the adjusted view of holders, and how (docs/decisions/0029-one-definition-per-metric.md). */
const holders = Type.Object(
  {
    /** Kinds of owners that are neither holders nor supply. */
    outsideSupply: labelKinds,
    /** Kinds that are no holders and stay in the supply. */
    notHolders: labelKinds,
    /** True when the pools of the evidence name the owners at their addresses. */
    namesPools: Type.Boolean(),
    /** Lineage groups that must call an owner an exchange or a bridge, where the chain does not show it. */
    labelFamilies: count,
    /** Contracts that the chain proves to be governed by a vote: no holders up to `most` of the supply, above it they count `weight`. */
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
        /** Agreement is one half where the share of the ten largest differs so much between lists. */
        agreementSpread: unit,
        /** Least independence of lists of which one was read from the chain. */
        chainIndependence: unit,
        /** What confidence loses where none of the twenty largest is known; `someLabels`: the part of it where any label is known. */
        unlabelledDiscount: unit,
        someLabels: unit,
      },
      strict,
    ),
    depth: Type.Object(
      {
        /** Highest confidence of depth that is estimated from liquidity. */
        proxyConfidence: unit,
        /** Venues below this share of the depth are not named as its basis. */
        smallestPart: unit,
      },
      strict,
    ),
    /** Exchanges whose reported volume counts, by canonical id: those with lists enough behind them in registers/counted-exchanges.json. */
    countedExchanges: Type.Array(text, { minItems: 1, uniqueItems: true }),
    /** Estimate of the wash share. A ramp counts nothing below its first number and fully from its second on. */
    wash: Type.Object(
      {
        /** What one test contributes, and what all of them can. */
        testShare: unit,
        most: unit,
        /** The second highest test from which the highest one counts fully. */
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
    /** Days after which a holder count says as much as it ever will. */
    holderExposureDays: number,
    /** Days for which the last adverse points of a third party's feature stand while it is silent. */
    adverseDays: positive,
    /** Facts of the launch (who holds the pools, what else its creator made) count while a token is younger than so many days, ... */
    launchDays: positive,
    /** ... and as long as more than this share of its volume is traded in pools. */
    launchPoolShare: unit,
  },
  strict,
);

const classes = Type.Array(assetClass);

/** How the class of an asset is decided from evidence (`src/rating/class.ts`). Words are lower case, letters and digits. */
const classRules = Type.Object(
  {
    /** Classes that words of registries name, the first that fits. */
    words: classes,
    /** Classes of an asset with a row in the register of issuers, the first whose words fit. */
    issued: classes,
    /** Classes of an asset with a peg, the first whose words fit. */
    pegs: classes,
    /** Registries, by lineage, that must file an asset alike before their words count against a row or a list that says what keeps its peg. */
    wordFamilies: count,
    /** Classes as which registries may file the coin of a chain that no row of a register names: lower than its own. */
    overNative: classes,
    /** Words of any stablecoin, of whatever backing. */
    stable: texts,
    /** Themes that assets of every kind share: they count where no other word fits. */
    weak: texts,
    /** All classes, that with the lowest ceiling first: it stands where evidence disagrees. */
    ceiling: classes,
    /** Class by the `kind` of a row in the register of protocols. */
    rows: Type.Record(text, assetClass),
    /** Class by the `kind` of a row in the register of issuers. */
    issuers: Type.Record(text, assetClass),
    /** Class by the mechanism that keeps a peg. */
    mechanisms: Type.Record(text, assetClass),
    /** Class by the category of the protocol that the token belongs to. */
    protocols: Type.Record(text, assetClass),
    /** What a holder must be owed for a token that is also filed as a memecoin to be anything else. */
    proof: texts,
    /** Where it lives or who holds it: "BNB Chain Ecosystem" makes no token a chain. */
    ignoredEndings: texts,
    /** What its protocol does: the token of one that issues a stablecoin is none. */
    ignored: texts,
    /** A token that governs a protocol is not what the protocol issues: never one of `notOfGovernance`. */
    governance: texts,
    notOfGovernance: classes,
  },
  strict,
);

const byFactor = Type.Partial(Type.Record(factor, text, strict));

/** What a class of assets is rated by. */
const ratedBy = Type.Object(
  {
    title: text,
    /** Its name among the categories of the API. */
    category,
    /** Name of its weights of factors (`weightTables`). */
    weights: text,
    /** Names of its weights of features (`featureTables`), by factor; a factor without one does not apply. */
    features: byFactor,
    /** What takes their place where a register names the issuer that holds the backing. */
    withIssuer: byFactor,
    /** What takes their place where the asset is a vault that has lent or sold what it was given. */
    asCreditVault: Type.Optional(byFactor),
    /** Words under which registries file it. */
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
    /** Least confidence of a flag that caps; `factual`: of one that states a measured fact. */
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
  /** How its ratings become probabilities of failure. */
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
