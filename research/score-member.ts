import { findChain } from '../src/chains/index.ts';
import type { AssetClass, Band, FactorCode, Feature } from '../src/domain/index.ts';
import { type Consensus, consensusKey, NO_KEYS, oncePer, QUANTITIES, type QuantityId } from '../src/domain/index.ts';
import type { FeatureDefinition, Methodology } from '../src/methodology/index.ts';
import { bandOf, featureWeights, loadMethodology, pointsOf, toScore } from '../src/methodology/index.ts';
import type { Context, RatingInput } from '../src/rating/index.ts';
import { applyCaps, capsOf, featuresOf, raiseFlags, scoreFactors } from '../src/rating/index.ts';
import type { Mapping, Member } from './mapping.ts';

/** A member's rating with the intermediate values that the sensitivity analyses need. */
export interface ScoredMember {
  /** Published score: capped, in steps of 0.1. */
  readonly score: number;
  /** Before caps, unrounded. */
  readonly uncapped: number;
  readonly class: AssetClass;
  readonly band: Band;
  readonly uncappedBand: Band;
  readonly caps: readonly { readonly code: string; readonly cap: number; readonly binding: boolean }[];
  readonly flags: readonly string[];
  readonly factors: readonly {
    readonly code: FactorCode;
    readonly weight: number;
    readonly score: number;
    /** Total weight of the features that apply, known or not. */
    readonly possible: number;
  }[];
  /** Features with points. */
  readonly known: readonly {
    readonly id: string;
    readonly factor: FactorCode;
    readonly weight: number;
    readonly confidence: number;
    readonly points: number;
    /** Value that replaces its uncertain part. */
    readonly rest: number;
    /** True if the file states it; false if the rating code infers it from missing values. */
    readonly isStated: boolean;
  }[];
  /** Features that the file's author searched without a result, with the points of a missing value. */
  readonly silent: readonly {
    readonly id: string;
    readonly factor: FactorCode;
    readonly weight: number;
    readonly points: number;
  }[];
}

/** Features that the rating code can compute. A trial feature that is not mapped here does not apply. */
const COMPUTED = new Set(loadMethodology().features.map((row) => row.id));
const SOMETIME = '2026-01-01T00:00:00.000Z';

/**
 * Rates a member with the code that rates assets: mapped quantities become consensus values, from which features, flags
 * and caps follow; directly mapped features replace the computed ones. Everything else is unknown and shrinks to the
 * prior. Caps on trust and the rule against rating on thin evidence are left out, since a labelled file has no evidence
 * of its own. `onRead` is called with each quantity that a feature, flag or cap reads.
 */
export function scoreMember(
  member: Member,
  mapping: Mapping,
  methodology: Methodology,
  onRead: ((quantity: string) => void) | null = null,
): ScoredMember {
  const whole = contextOf(member, mapping, methodology);
  const context = onRead === null ? whole : watched(whole, onRead);
  const { direct, others } = split(mapping)(methodology);
  const computed = featuresOf(others === methodology ? context : { ...context, methodology: others });
  const { prior } = methodology.aggregation;
  const weights = featureWeights(member.class, methodology);
  const features = [
    // A file sends no requests, so a missing column is neither withheld nor absent from a list, unless its author
    // searched that list.
    ...computed.map((feature) => ({ ...feature, rest: mapping.searched.includes(feature.id) ? feature.rest : prior })),
    ...direct
      .filter(({ id }) => weights.has(id))
      .map((definition) =>
        directFeature({ ...definition, weight: weights.get(definition.id) ?? 0 }, member, mapping, prior),
      ),
  ];
  const scored = scoreFactors(features, member.class, methodology);
  const flags = raiseFlags(context);
  const capped = applyCaps(scored.uncapped, capsOf(context, flags), methodology);
  return {
    score: capped.score,
    uncapped: scored.uncapped,
    class: member.class,
    band: bandOf(capped.score, methodology),
    uncappedBand: bandOf(toScore(scored.uncapped), methodology),
    caps: capped.caps.map(({ code, cap, binding }) => ({ code, cap, binding })),
    flags: flags.map((flag) => flag.code),
    factors: scored.factors.map((factor) => ({
      code: factor.code,
      weight: factor.weight,
      score: factor.score,
      possible: factor.features
        .filter((feature) => feature.status !== 'not_applicable')
        .reduce((sum, feature) => sum + feature.weight, 0),
    })),
    known: features.flatMap(({ id, factor, weight, confidence, score, status, rest }) =>
      score !== null && confidence > 0 && weight > 0 && status !== 'not_applicable'
        ? [{ id, factor, weight, confidence, points: score, rest, isStated: status !== 'absent' }]
        : [],
    ),
    silent: features.flatMap(({ id, factor, weight, score, status, rest }) =>
      score === null && weight > 0 && status !== 'not_applicable' && mapping.searched.includes(id)
        ? [{ id, factor, weight, points: rest }]
        : [],
    ),
  };
}

/**
 * Features that a mapping gives directly, and the methodology with the others that the rating code can compute; the
 * methodology itself if those are all. One object for all members, because the rating code keeps what it derives from a
 * methodology.
 */
const split = oncePer((mapping: Mapping) =>
  oncePer((methodology: Methodology) => {
    const ids = new Set(Object.keys(mapping.features));
    const definitions = new Map(methodology.features.map((row) => [row.id, row]));
    const features = methodology.features.filter((row) => COMPUTED.has(row.id) && !ids.has(row.id));
    return {
      direct: [...ids].map((id) => definitions.get(id)).filter((definition) => definition !== undefined),
      others: features.length === methodology.features.length ? methodology : { ...methodology, features },
    };
  }),
);

/** Reports which values are read by name. A rule that iterates over all values reads none by name. */
function watched(context: Context, onRead: (quantity: string) => void): Context {
  let listed: string | symbol | null = null;
  const consensus = new Proxy(context.input.consensus, {
    // While iterating over an object, the runtime requests each property's descriptor immediately before it reads the
    // property.
    getOwnPropertyDescriptor(target, name) {
      listed = name;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get(target, name) {
      if (typeof name === 'string' && name !== listed) onRead(name);
      listed = null;
      return Reflect.get(target, name);
    },
  });
  return { ...context, input: { ...context.input, consensus } };
}

function directFeature(
  definition: FeatureDefinition & { readonly weight: number },
  member: Member,
  mapping: Mapping,
  prior: number,
): Feature {
  const raw = member.features[definition.id] ?? null;
  const zero = raw === 0 && definition.scale === 'log' && definition.zero !== null;
  const points = raw === null ? null : zero ? definition.zero : pointsOf(definition, raw);
  const known = points !== null;
  return {
    id: definition.id,
    name: definition.name,
    factor: definition.factor,
    weight: definition.weight,
    critical: definition.critical,
    status: known ? 'observed' : 'unknown',
    raw: known ? raw : null,
    unit: definition.unit,
    confidence: known ? (mapping.features[definition.id]?.confidence ?? mapping.confidence) : 0,
    parts: null,
    basis: [],
    method: 'labelled file',
    score: points,
    rest: prior,
    silent: false,
    rationale: '',
  };
}

/** Input for the member's rating: the mapped quantities as consensus, and nothing else. */
export function inputOf(member: Member, mapping: Mapping, methodology: Methodology): RatingInput {
  return contextOf(member, mapping, methodology).input;
}

function contextOf(member: Member, mapping: Mapping, methodology: Methodology): Context {
  const asOf = member.featureAt === null ? SOMETIME : new Date(member.featureAt).toISOString();
  const consensus = Object.fromEntries(
    Object.entries(member.quantities).map(([id, value]) => [
      consensusKey(id as QuantityId),
      saidByFile(id as QuantityId, value, mapping.quantities[id]?.confidence ?? mapping.confidence, asOf),
    ]),
  );
  return {
    input: {
      request: {
        type: 'token',
        project: member.id,
        projectUrl: '',
        tokenSymbol: null,
        category: null,
        blockchain: null,
        tokenAddress: null,
      },
      identification: {
        asset: {
          id: member.id,
          chain: mapping.chain,
          address: null,
          symbol: null,
          name: member.id,
          category: null,
          website: null,
        },
        stage: 'post_tge',
        registrableDomain: null,
        keys: NO_KEYS,
        match: 1,
        links: [],
        contradictions: [],
        rejected: [],
        notes: [],
      },
      consensus,
      sources: [],
      peers: [],
      previous: null,
      asOf,
    },
    methodology,
    class: member.class,
    category: methodology.classes[member.class].category,
    kind: mapping.chain === null ? null : (findChain(mapping.chain)?.kind ?? null),
    native: false,
    now: Date.parse(asOf),
  };
}

function saidByFile(
  quantity: QuantityId,
  value: number | string | boolean,
  confidence: number,
  observedAt: string,
): Consensus {
  const numeric = typeof value === 'number' ? value : null;
  return {
    quantity,
    scope: 'asset',
    unit: QUANTITIES[quantity].unit,
    value,
    low: numeric,
    high: numeric,
    confidence,
    parts: { independence: confidence, agreement: 1, freshness: 1, identity: 1 },
    status: 'agreed',
    families: 1,
    effectiveFamilies: 1,
    dispersion: 0,
    observedAt,
    voices: [
      {
        source: 'file',
        endpoint: 'row',
        family: 'file',
        tier: 'chain',
        value,
        meaning: QUANTITIES[quantity].meaning,
        observedAt,
        weight: 1,
        z: null,
        unitPower: null,
        accepted: true,
        reason: null,
        responseId: 'file',
      },
    ],
    failedIdentities: [],
  };
}
