import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { QUANTITIES } from '../domain/quantities.ts';
import type { FeatureDefinition } from './types.ts';

const unit = Type.Number({ minimum: 0, maximum: 1 });
const positive = Type.Number({ exclusiveMinimum: 0 });
const count = Type.Integer({ minimum: 1 });
const numbers = Type.Record(Type.String(), Type.Number());
const labelKind = Type.Union(
  ['pool', 'burn', 'locker', 'vesting', 'bridge', 'exchange', 'staking', 'lending', 'issuer', 'program'].map((name) =>
    Type.Literal(name),
  ),
);
const strict = { additionalProperties: false };

const features = Type.Array(
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      factor: Type.String(),
      weight: Type.Record(Type.String(), unit),
      unit: Type.String(),
      scale: Type.Union(['log', 'lin', 'logistic', 'state'].map((name) => Type.Literal(name))),
      anchors: Type.Array(Type.Tuple([Type.Number(), Type.Number()])),
      states: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 100 })),
      zero: Type.Union([Type.Number(), Type.Null()]),
      silence: Type.Object(
        {
          kind: Type.Union(['N', 'T', 'P'].map((name) => Type.Literal(name))),
          points: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()]),
        },
        strict,
      ),
      critical: Type.Boolean(),
      reason: Type.String(),
    },
    strict,
  ),
);
const caps = Type.Array(
  Type.Object(
    {
      code: Type.String(),
      cap: Type.Number(),
      flag: Type.Union([Type.String(), Type.Null()]),
      condition: Type.String(),
      thresholds: numbers,
      expiry: Type.String(),
      fadeDays: Type.Optional(positive),
    },
    strict,
  ),
);
const evidenceLevel = Type.Object({ confidence: unit, independence: unit }, strict);
const preTge = Type.Object(
  {
    reason: Type.String(),
    prior: positive,
    factors: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), weight: positive }, strict)),
    features,
    caps,
    evidence: Type.Object(
      { claimed: evidenceLevel, linked: evidenceLevel, confirmed: evidenceLevel, searched: evidenceLevel },
      strict,
    ),
    thresholds: Type.Object(
      {
        forkAheadCommits: positive,
        roundTolerance: unit,
        foundedYearsBeforeDomain: positive,
        oldPseudonymDays: positive,
        bareClaimShare: unit,
        contradictionDiscount: positive,
        exposureStatements: count,
        unreadDocumentWords: count,
        lostPagesMost: count,
      },
      strict,
    ),
    essential: Type.Array(Type.String(), { minItems: 1 }),
    namedCredit: Type.Object({ profile: unit, named: unit, pseudonymOld: unit, pseudonym: unit }, strict),
  },
  strict,
);

const schema = Type.Object(
  {
    version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    date: Type.String(),
    consensus: Type.Object(
      {
        classes: Type.Record(
          Type.String(),
          Type.Object(
            {
              noise: Type.Number({ exclusiveMinimum: 0 }),
              halfLifeSeconds: Type.Number({ exclusiveMinimum: 0 }),
              maxAgeSeconds: Type.Number(),
              quorum: Type.Integer({ minimum: 1 }),
              authoritativeTier: Type.Union([Type.String(), Type.Null()]),
            },
            strict,
          ),
        ),
        classOf: Type.Record(Type.String(), Type.String()),
        liquidDepthUsd: Type.Number(),
        outlierZ: Type.Number(),
        readmissionShare: unit,
        groupWeightCap: unit,
        minimumBinding: unit,
        disputeNoiseMultiple: Type.Number(),
        disputedConfidenceCap: unit,
        singleSourceConfidenceCap: unit,
        chainIndependence: Type.Object({ oneOperator: unit, twoOperators: unit }, strict),
        correlations: Type.Array(
          Type.Object({ families: Type.Tuple([Type.String(), Type.String()]), rho: unit }, strict),
        ),
        defaultCorrelation: unit,
        chainCorrelation: unit,
        unitPowers: Type.Array(Type.Integer()),
        unitResidual: unit,
        identityPenalty: unit,
        identities: numbers,
        calibration: Type.Object(
          { reason: Type.String(), steps: Type.Array(Type.Tuple([unit, unit]), { minItems: 1 }) },
          strict,
        ),
      },
      strict,
    ),
    trust: Type.Object(
      {
        exponents: Type.Object({ coverage: unit, agreement: unit, independence: unit, freshness: unit }, strict),
        tiers: Type.Array(
          Type.Object(
            { tier: Type.String(), from: Type.Number(), cap: Type.Union([Type.Number(), Type.Null()]) },
            strict,
          ),
        ),
        minimumMatch: unit,
        observedConfidence: unit,
        absentCredit: unit,
        criticalMultiple: Type.Number(),
        linkStrengths: Type.Record(Type.String(), unit),
        contradictionFactors: Type.Record(Type.String(), unit),
      },
      strict,
    ),
    aggregation: Type.Object(
      {
        floor: Type.Number(),
        shrinkConstant: Type.Number(),
        prior: Type.Number(),
        intervalZ: Type.Number(),
        sigmaUnknown: Type.Number(),
        sigmaBase: Type.Number(),
        exposureDays: Type.Number(),
        holderExposureDays: Type.Number(),
        adverseDays: positive,
        launchDays: positive,
        launchPoolShare: unit,
      },
      strict,
    ),
    holders: Type.Object(
      { outsideSupply: Type.Array(labelKind), notHolders: Type.Array(labelKind), namesPools: Type.Boolean() },
      strict,
    ),
    bands: Type.Array(
      Type.Object(
        {
          band: Type.String(),
          from: Type.Number(),
          failureTarget: Type.Union([Type.Number(), Type.Null()]),
          meaning: Type.String(),
        },
        strict,
      ),
    ),
    categoryWords: Type.Object(
      {
        ignoredEndings: Type.Array(Type.String()),
        ignored: Type.Array(Type.String()),
        governance: Type.Array(Type.String()),
        notOfGovernance: Type.Array(Type.String()),
        ofGovernance: Type.String(),
        weak: Type.Array(Type.String()),
      },
      strict,
    ),
    categories: Type.Record(
      Type.String(),
      Type.Object({ title: Type.String(), weights: numbers, keywords: Type.Array(Type.String()) }, strict),
    ),
    factors: Type.Record(Type.String(), Type.Object({ name: Type.String() }, strict)),
    features,
    flags: Type.Array(
      Type.Object(
        {
          number: Type.Integer(),
          code: Type.String(),
          severity: Type.Union(['info', 'low', 'medium', 'high', 'critical'].map((name) => Type.Literal(name))),
          title: Type.String(),
          definition: Type.String(),
          evidence: Type.String(),
          thresholds: numbers,
          clearDays: Type.Integer({ minimum: 0 }),
          raisedBy: Type.Union([Type.String(), Type.Null()]),
          notRaisedBecause: Type.Union([Type.String(), Type.Null()]),
        },
        strict,
      ),
    ),
    flagConfidence: Type.Object({ raise: unit, critical: unit }, strict),
    caps,
    publication: Type.Object(
      {
        reason: Type.String(),
        smoothing: Type.Object({ halfLifeDownDays: positive, halfLifeUpDays: positive }, strict),
        hysteresis: Type.Object(
          {
            margin: positive,
            snapshotsAbove: count,
            immediateBandWidths: positive,
            existingDays: positive,
            lateDays: positive,
          },
          strict,
        ),
        capFadeDays: positive,
        notRatedGraceDays: positive,
        outlook: Type.Object(
          { days: positive, minimumPoints: count, projectionDays: positive, margin: positive },
          strict,
        ),
        watch: Type.Object({ days: positive }, strict),
        reversalDays: positive,
        default: Type.Object(
          {
            evidence: unit,
            marketEvidence: unit,
            score: positive,
            peakDays: positive,
            longestGapDays: positive,
            liquidityDeath: Type.Object(
              { liquidityUsd: positive, liquidityShare: unit, priceShare: unit, days: positive },
              strict,
            ),
            exploitDeath: Type.Object({ lossShare: unit, days: positive }, strict),
            delisting: Type.Object({ venueVolumeUsd: positive, poolUsd: positive }, strict),
            abandonment: Type.Object({ days: positive }, strict),
            stablecoin: Type.Object(
              { price: unit, days: positive, suspendedPrice: unit, suspendedDays: positive },
              strict,
            ),
            wrapped: Type.Object({ share: unit, days: positive }, strict),
          },
          strict,
        ),
        floor: Type.Object(
          {
            reason: Type.String(),
            minimumMatch: unit,
            critical: Type.Array(
              Type.Object(
                {
                  name: Type.String(),
                  appliesTo: Type.Object(
                    {
                      stage: Type.Union([Type.Literal('post_tge'), Type.Literal('pre_tge')]),
                      contractOnly: Type.Optional(Type.Literal(true)),
                      chainKind: Type.Optional(Type.Union([Type.Literal('evm'), Type.Literal('solana')])),
                      categories: Type.Optional(Type.Array(Type.String())),
                    },
                    strict,
                  ),
                  quantities: Type.Array(Type.String(), { minItems: 1 }),
                  families: count,
                  sources: Type.Array(Type.String(), { minItems: 1 }),
                },
                strict,
              ),
            ),
            highBand: Type.String(),
            middleBand: Type.String(),
            askedShare: Type.Record(Type.String(), Type.Object({ high: unit, middle: unit, any: unit }, strict)),
            sources: Type.Record(Type.String(), Type.Array(Type.String())),
            partyControlled: Type.Array(Type.String()),
            notAsked: Type.Array(Type.String()),
          },
          strict,
        ),
        replacement: Type.Object(
          {
            reason: Type.String(),
            askedShareOfStanding: unit,
            askedShareForUpgrade: unit,
            staleDays: positive,
            withdrawDays: positive,
            watchHours: positive,
            memoryDays: positive,
            adversePoints: positive,
            partyPageDays: positive,
            partyPageHalfLifeDays: positive,
          },
          strict,
        ),
        record: Type.Object({ reason: Type.String(), websiteDays: positive, websiteSources: count }, strict),
        cure: Type.Object({ days: positive, highestBand: Type.String() }, strict),
        trackRecord: Type.Object(
          {
            horizonsDays: Type.Array(count, { minItems: 1 }),
            confidence: unit,
            minimumFailures: count,
            missBand: Type.String(),
            missDays: positive,
          },
          strict,
        ),
      },
      strict,
    ),
    preTge,
    changes: Type.Array(
      Type.Object(
        {
          version: Type.String(),
          date: Type.String(),
          kind: Type.Union(['MAJOR', 'MINOR', 'PATCH'].map((kind) => Type.Literal(kind))),
          reason: Type.String(),
          effect: Type.String(),
        },
        strict,
      ),
      { minItems: 1 },
    ),
    vfr: Type.Object(
      {
        minimumPeers: Type.Integer(),
        pseudoCount: Type.Number(),
        sdFloor: Type.Number(),
        sdMaximum: Type.Number(),
        driverCorrelation: unit,
        minimumDriverConfidence: unit,
        minimumTrust: Type.Number(),
        minimumR2: unit,
        ridgeLambda: Type.Number(),
        intervalZ: Type.Number(),
        intervalShare: unit,
        winsorDeviations: Type.Number({ exclusiveMinimum: 0 }),
        smoothing: Type.Object({ days: Type.Integer({ minimum: 1 }), sums: Type.Array(Type.String()) }, strict),
        weak: Type.Object({ quantities: Type.Array(Type.String()), share: unit }, strict),
        rounds: Type.Object(
          {
            soldShare: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
            amountOnlySd: Type.Number({ minimum: 0 }),
            sdFloor: Type.Number({ exclusiveMinimum: 0 }),
            scoreEffect: Type.Number(),
            scoreCentre: Type.Number(),
            scoreSpread: Type.Number({ exclusiveMinimum: 0 }),
            minimumRounds: Type.Integer(),
            maximumAgeDays: Type.Number(),
          },
          strict,
        ),
        zones: Type.Object({ deep: Type.Number(), mild: Type.Number(), fairRatio: Type.Number() }, strict),
        peg: Type.Object(
          {
            stablecoinFair: Type.Number(),
            lstFair: Type.Number(),
            mild: Type.Number(),
            dollarWords: Type.Array(Type.String()),
            accruingWords: Type.Array(Type.String()),
          },
          strict,
        ),
        drivers: Type.Record(Type.String(), Type.Array(Type.String())),
      },
      strict,
    ),
  },
  strict,
);
const validator = Compile(schema);

/** What is wrong with a methodology file: its shape, and what no schema can say (sums, references, order). */
export function complaints(file: unknown): readonly string[] {
  if (!validator.Check(file))
    return [...validator.Errors(file)].map((error) => `${error.instancePath}: ${error.message}`);
  const found: string[] = [];
  for (const quantity of Object.keys(QUANTITIES))
    if (!((file.consensus.classOf[quantity] ?? '') in file.consensus.classes))
      found.push(`quantity ${quantity} has no class`);
  for (const [name, category] of Object.entries(file.categories)) {
    const sum = Object.values(category.weights).reduce((total, weight) => total + weight, 0);
    if (Math.abs(sum - 100) > 1e-9) found.push(`weights of ${name} sum to ${sum}, not 100`);
    for (const factor of Object.keys(file.factors)) {
      const inside = file.features
        .filter((feature) => feature.factor === factor)
        .reduce((total, feature) => total + (feature.weight[name] ?? feature.weight['*'] ?? 0), 0);
      if (Math.abs(inside - 1) > 1e-9) found.push(`feature weights of ${factor} for ${name} sum to ${inside}, not 1`);
    }
  }
  const preTgeWeights = file.preTge.factors.reduce((total, factor) => total + factor.weight, 0);
  if (Math.abs(preTgeWeights - 100) > 1e-9) found.push(`weights before the token sum to ${preTgeWeights}, not 100`);
  for (const { code } of file.preTge.factors) {
    const inside = file.preTge.features
      .filter((feature) => feature.factor === code)
      .reduce((total, feature) => total + (feature.weight['*'] ?? 0), 0);
    if (Math.abs(inside - 1) > 1e-9) found.push(`feature weights of ${code} sum to ${inside}, not 1`);
  }
  for (const feature of [...file.features, ...file.preTge.features]) {
    const ascending = feature.anchors.every(
      (anchor, index) => index === 0 || (feature.anchors[index - 1]?.[0] ?? 0) < anchor[0],
    );
    if (!ascending) found.push(`anchors of ${feature.id} are not in ascending order`);
    if ((feature.scale === 'state') !== Object.keys(feature.states).length > 0)
      found.push(`${feature.id} mixes states and anchors`);
    found.push(...silenceComplaints(feature));
  }
  for (const flag of file.flags)
    if ((flag.raisedBy === null) === (flag.notRaisedBecause === null))
      found.push(`flag ${flag.code} must say either how it is raised or why it is not`);
  const flags = new Set(file.flags.map((flag) => flag.code));
  for (const cap of [...file.caps, ...file.preTge.caps])
    if (cap.flag !== null && !flags.has(cap.flag)) found.push(`cap ${cap.code} names the unknown flag ${cap.flag}`);
  return found;
}

/** Silence of who is rated must never be worth more than the worst it could show. */
function silenceComplaints({ id, anchors, states, silence, zero }: FeatureRow): readonly string[] {
  if ((silence.kind === 'P') !== (silence.points !== null))
    return [`${id}: only what the rated party can silence has points of its own for silence`];
  const shown = [...anchors.map(([, points]) => points), ...Object.values(states), ...(zero === null ? [] : [zero])];
  return silence.points !== null && silence.points > Math.min(...shown)
    ? [`silence of ${id} is worth more than the worst that can be shown`]
    : [];
}

type FeatureRow = Pick<FeatureDefinition, 'id' | 'anchors' | 'states' | 'silence' | 'zero'>;
