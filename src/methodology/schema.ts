import Type from 'typebox';
import { FACTOR_CODES, LABEL_KINDS } from '../domain/index.ts';
import { consensus, trust } from './consensus-schema.ts';
import { cap, feature, featureRules, flag, flagConfidence } from './features-schema.ts';
import { preTge } from './pre-tge-schema.ts';
import { publication } from './publication-schema.ts';
import { band, category, nullable, positive, strict, text, texts, unit } from './terms.ts';
import { vfr } from './vfr-schema.ts';

const number = Type.Number();
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

/** Words of registries that are no category of the asset itself. Lower case, letters and digits. */
const categoryWords = Type.Object(
  {
    /** Where it lives or who holds it: "BNB Chain Ecosystem" makes no token a chain. */
    ignoredEndings: texts,
    /** What its protocol does: the token of one that issues a stablecoin is none. */
    ignored: texts,
    /** A token that governs a protocol is not what the protocol issues: never one of `notOfGovernance`, `ofGovernance` when no other word fits. */
    governance: texts,
    notOfGovernance: Type.Array(category),
    ofGovernance: category,
    /** Themes that assets of every kind share: they count where no other word fits. */
    weak: texts,
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
    categoryWords,
    categories: Type.Record(
      category,
      Type.Object({ title: text, weights: Type.Record(factor, number, strict), keywords: texts }, strict),
      strict,
    ),
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
