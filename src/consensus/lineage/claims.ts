import { describesReply, median, type Observation, QUANTITIES } from '../../domain/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { noiseOnScale, outOfRange, toScale } from '../scale.ts';
import { scopesOf } from '../supply.ts';
import { stable } from '../weighed-observation.ts';
import rules from './rules.json' with { type: 'json' };

/** Rules to distinguish shared errors from chance (`rules.json`). */
export type LineageRules = typeof rules;
export const LINEAGE_RULES: LineageRules = rules;

/** The observations of one archived collection about one asset. */
export interface Collection {
  readonly assetId: string;
  /** RFC 3339. */
  readonly asOf: string;
  readonly observations: readonly Observation[];
}

/** A source together with the lineage group of its numbers. */
export interface Unit {
  readonly family: string;
  readonly source: string;
}

export interface Claim {
  /** Index into `Claims.units`. */
  readonly unit: number;
  /** Value on the scale of the quantity. */
  readonly y: number;
}

/** Statements of several units about the same quantity of one subject at one time. */
export interface Item {
  /** Class of the quantity: chance agreement of errors differs between classes. */
  readonly className: string;
  /** Noise floor of the class, on the scale of the quantity. */
  readonly noise: number;
  /** At most one per unit, in the order of the units. */
  readonly claims: readonly Claim[];
}

export interface Claims {
  readonly units: readonly Unit[];
  readonly items: readonly Item[];
}

/**
 * Statements in the archive that can reveal an error: numbers that at least three units state. An unchanged value
 * counts once, however often it was archived: a new item begins when the median has moved by more than the noise floor,
 * and a unit whose figure did not change in between is not counted again. Independent of the order of the collections
 * and of their observations.
 */
export function claimsOf(
  collections: readonly Collection[],
  methodology: Methodology,
  { sameNoise }: LineageRules = LINEAGE_RULES,
): Claims {
  const found = new Map<string, Unit>();
  for (const observation of collections.flatMap((one) => one.observations))
    found.set(unitKey(observation), observation);
  const keys = [...found.keys()].sort();
  const place = new Map(keys.map((key, index) => [key, index]));
  const items: Item[] = [];
  for (const moments of [...thingsOf(collections, methodology)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own)) {
    const last = new Map<number, number>();
    let middle: number | null = null;
    for (const { observations } of moments.sort((a, b) => (a.order < b.order ? -1 : 1))) {
      const item = itemOf(observations, place, methodology);
      if (item === null) continue;
      const now = median(item.claims.map(({ y }) => y)) ?? 0;
      if (middle !== null && Math.abs(now - middle) <= item.noise) continue;
      middle = now;
      const moved = item.claims.filter(({ unit, y }) => {
        const before = last.get(unit);
        return before === undefined || Math.abs(y - before) > sameNoise * item.noise;
      });
      for (const { unit, y } of item.claims) last.set(unit, y);
      items.push({ ...item, claims: moved });
    }
  }
  const units = keys.map((key) => {
    const { family, source } = found.get(key) as Unit;
    return { family, source };
  });
  return { units, items: items.filter((item) => item.claims.length > 1) };
}

function unitKey({ family, source }: Unit): string {
  return `${family}\n${source}`;
}

/** Observations by subject, and within it by collection. */
function thingsOf(collections: readonly Collection[], methodology: Methodology) {
  const things = new Map<string, { readonly order: string; readonly observations: Observation[] }[]>();
  for (const [index, { assetId, asOf, observations }] of [...collections].sort(inTime).entries()) {
    const own = new Map<string, Observation[]>();
    const scopeOf = scopesOf(observations, methodology);
    for (const observation of observations) {
      const { kind } = QUANTITIES[observation.quantity];
      const scope = scopeOf(observation);
      if (scope === null || observation.carried !== undefined || describesReply(observation.quantity)) continue;
      if (kind !== 'log' && kind !== 'share' && kind !== 'linear' && kind !== 'exact') continue;
      own.getOrInsertComputed(`${assetId}\n${observation.quantity}\n${scope}`, () => []).push(observation);
    }
    for (const [thing, rows] of own)
      things
        .getOrInsertComputed(thing, () => [])
        .push({ order: `${asOf}\n${String(index).padStart(9, '0')}`, observations: rows });
  }
  return things;
}

function inTime(a: Collection, b: Collection): number {
  const [x, y] = [`${a.asOf}\n${a.assetId}`, `${b.asOf}\n${b.assetId}`];
  return x < y ? -1 : x > y ? 1 : 0;
}

function itemOf(
  observations: readonly Observation[],
  place: ReadonlyMap<string, number>,
  methodology: Methodology,
): Item | null {
  const own = new Map<number, { readonly observation: Observation; readonly y: number }>();
  for (const observation of [...observations].sort(mostReliable)) {
    const { quantity, value, binding } = observation;
    const unit = place.get(unitKey(observation)) ?? -1;
    const outside =
      binding < methodology.consensus.minimumBinding || outOfRange(QUANTITIES[quantity], value, methodology);
    const y = typeof value === 'number' && !outside ? toScale(QUANTITIES[quantity].kind, value) : null;
    if (y !== null && !own.has(unit)) own.set(unit, { observation, y });
  }
  const [first] = own.values();
  if (first === undefined || own.size < 3) return null;
  const { quantity } = first.observation;
  const className = methodology.consensus.classOf[quantity];
  const noise = methodology.consensus.classes[className]?.noise ?? 0;
  const middle = median([...own.values()].map(({ y }) => y)) ?? 0;
  return {
    className,
    noise: noiseOnScale(QUANTITIES[quantity].kind, noise, middle),
    claims: [...own].sort(([a], [b]) => a - b).map(([unit, { y }]) => ({ unit, y })),
  };
}

/** A source may state a quantity at several endpoints: only the most reliable statement counts. */
function mostReliable(a: Observation, b: Observation): number {
  return b.reliability * b.binding - a.reliability * a.binding || stable(a, b);
}
