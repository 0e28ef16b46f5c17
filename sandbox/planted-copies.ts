import { canonicalScope, median, type Observation, QUANTITIES } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { seededUnit } from './world/random.ts';

interface Collection {
  readonly assetId: string;
  /** RFC 3339. */
  readonly asOf: string;
  readonly observations: readonly Observation[];
}

export interface PlantSettings {
  readonly seed: number;
  /** Share of the sources that copy. */
  readonly density: number;
  /**
   * Probability that a source's own statement is wrong; each source has its own, from half of it to one and a half
   * times it.
   */
  readonly errors: number;
  /** Smallest and largest share of copied statements of a copy. */
  readonly copied: readonly [least: number, most: number];
  /** `one`: all copies have one origin. `any`: each has its own, which may be a copy itself. */
  readonly graph: 'one' | 'any';
  /** Largest share of the sources of one subject that may state one copied figure: 1 lets copies outvote the others. */
  readonly mostOfThing: number;
  /** Share of the own errors that are one of three common mistakes. */
  readonly common: number;
}

/**
 * An archive of the sandbox with planted errors and copies. Where a source keeps its original statement, nothing is
 * altered.
 */
export interface PlantedArchive {
  readonly collections: readonly Collection[];
  /**
   * `group/source`, copy and origin, and the number of copied wrong figures: each counts once, however long it lasted.
   */
  readonly planted: readonly { readonly copy: string; readonly of: string; readonly wrongCopied: number }[];
  /** The original archive's value of a subject at that time; NaN where nothing was planted. */
  readonly truthOf: (collection: number, thing: string) => number;
}

/** Sources with fewer statements are skipped, and so are origins with few subjects in common with the copy. */
const LEAST_STATEMENTS = 100;
const LEAST_SHARED = 60;
/** Noise floors from the truth at which a figure is wrong. */
const LEAST_WRONG = 3;
const MISTAKES = [10, 0.1, 1.8];
/** Nodes and registers are read, not copied. */
const READ_ITSELF = /^(chain:|register|kept_|operator_|statement:|issuer_|chainlink)/;

/** Subject of an observation, within an asset. */
export function thingOf({ quantity, scope }: Observation): string {
  return `${quantity}\n${canonicalScope(scope)}`;
}

/**
 * Plants errors and copies among the sources of an archive. The true value of a subject is the median of the original
 * archive; an error lasts until that moves by its noise floor, as a wrong figure lasts until its source updates it.
 * Only prices and amounts above zero are altered.
 */
export function plantCopies(
  archive: readonly Collection[],
  methodology: Methodology,
  settings: PlantSettings,
): PlantedArchive {
  const things = archive.map(({ observations }) => Map.groupBy(observations.filter(isAmount), thingOf));
  const stated = new Map<string, Set<string>>();
  for (const [at, own] of things.entries())
    for (const [thing, rows] of own)
      for (const row of rows)
        if (!READ_ITSELF.test(row.family))
          stated.getOrInsertComputed(unitOf(row), () => new Set()).add(`${at}\n${thing}`);
  const units = [...stated].filter(([, own]) => own.size >= LEAST_STATEMENTS).map(([unit]) => unit);
  const drawn = units.toSorted((a, b) => unitChance(settings.seed, 'order', a) - unitChance(settings.seed, 'order', b));
  const shared = (a: string, b: string) => (stated.get(a) ?? new Set()).intersection(stated.get(b) ?? new Set()).size;
  const { order, edges } = edgesOf(drawn, shared, settings);
  const originOf = new Map(edges.map((edge) => [edge.copy, edge]));
  const error = new Map(
    units.map((unit) => [unit, settings.errors * (0.5 + unitChance(settings.seed, 'error', unit))]),
  );
  const wrongCopied = new Map<string, Set<string>>();
  const truths: Map<string, number>[] = [];
  const epochs = new Map<string, { readonly from: number; readonly number: number }>();
  const collections = archive.map(({ assetId, asOf, observations }, at) => {
    const truth = new Map<string, number>();
    truths.push(truth);
    const said = new Map<string, number>();
    for (const [thing, rows] of things[at] ?? []) {
      const noise = noiseOf(rows[0], methodology);
      const middle = median(rows.map((row) => Number(row.value))) ?? 0;
      truth.set(thing, middle);
      const key = `${assetId}\n${thing}`;
      const before = epochs.get(key);
      if (before === undefined || Math.abs(Math.log(middle / before.from)) > noise)
        epochs.set(key, { from: middle, number: (before?.number ?? 0) + 1 });
      const most = Math.floor(settings.mostOfThing * new Set(rows.map(unitOf)).size);
      let copies = 0;
      const epoch = `${key}\n${epochs.get(key)?.number}`;
      // Origins come before their copies in this order.
      for (const unit of order) {
        const row = rows.find((one) => unitOf(one) === unit);
        if (row === undefined) continue;
        const origin = originOf.get(unit);
        const takes =
          origin !== undefined &&
          copies + 2 <= most &&
          unitChance(settings.seed, 'takes', `${epoch}\n${unit}`) < origin.share;
        const taken = takes ? said.get(`${origin.of}\n${thing}`) : undefined;
        const isWrong = unitChance(settings.seed, 'wrong', `${epoch}\n${unit}`) < (error.get(unit) ?? 0);
        const own = isWrong ? middle * mistakeOf(settings, `${epoch}\n${unit}`, noise) : Number(row.value);
        if (taken !== undefined) copies += 1;
        if (taken !== undefined && Math.abs(Math.log(taken / middle)) > LEAST_WRONG * noise)
          wrongCopied.getOrInsertComputed(unit, () => new Set()).add(epoch);
        said.set(`${unit}\n${thing}`, taken ?? own);
      }
    }
    const altered = observations.map((row) => {
      const value = isAmount(row) ? said.get(`${unitOf(row)}\n${thingOf(row)}`) : undefined;
      return value === undefined ? row : { ...row, value };
    });
    return { assetId, asOf, observations: altered };
  });
  const planted = edges.map(({ copy, of }) => ({ copy, of, wrongCopied: wrongCopied.get(copy)?.size ?? 0 }));
  return { collections, planted, truthOf: (at, thing) => truths[at]?.get(thing) ?? Number.NaN };
}

export function unitOf({ family, source }: Pick<Observation, 'family' | 'source'>): string {
  return `${family}/${source}`;
}

function isAmount({ quantity, value, carried }: Observation): boolean {
  return QUANTITIES[quantity].kind === 'log' && typeof value === 'number' && value > 0 && carried === undefined;
}

function noiseOf(row: Observation | undefined, { consensus }: Methodology): number {
  return row === undefined ? 0 : (consensus.classes[consensus.classOf[row.quantity]]?.noise ?? 0);
}

/**
 * Copies are the last sources of the order; an origin comes before its copy, is of another group and states many of the
 * same subjects.
 */
function edgesOf(
  drawn: readonly string[],
  shared: (a: string, b: string) => number,
  { seed, density, copied, graph }: PlantSettings,
) {
  const groupOf = (unit: string) => unit.split('/')[0];
  const meet = (a: string, b: string) => groupOf(a) !== groupOf(b) && shared(a, b) >= LEAST_SHARED;
  const copies = Math.round(drawn.length * density);
  const origin = drawn.toSorted((a, b) => partners(b) - partners(a))[0] ?? '';
  function partners(unit: string): number {
    return drawn.filter((other) => meet(unit, other)).length;
  }
  const order = graph === 'one' ? [origin, ...drawn.filter((unit) => unit !== origin)] : drawn;
  const found: { copy: string; of: string; share: number }[] = [];
  for (let at = order.length - 1; at > 0 && found.length < copies; at -= 1) {
    const copy = order[at] ?? '';
    const before = graph === 'one' ? [origin] : order.slice(0, at);
    const fitting = before.filter((unit) => meet(unit, copy));
    const of = fitting[Math.floor(unitChance(seed, 'origin', copy) * fitting.length)];
    if (of === undefined) continue;
    found.push({ copy, of, share: copied[0] + (copied[1] - copied[0]) * unitChance(seed, 'share', copy) });
  }
  return { order, edges: found };
}

function mistakeOf({ seed, common }: PlantSettings, key: string, noise: number): number {
  const how = unitChance(seed, 'how', key);
  if (unitChance(seed, 'anybody', key) < common) return MISTAKES[Math.floor(how * MISTAKES.length)] ?? 1;
  const sign = unitChance(seed, 'sign', key) < 0.5 ? -1 : 1;
  return Math.exp(sign * (8 + 60 * how) * noise);
}

function unitChance(seed: number, what: string, key: string): number {
  return seededUnit('planted copies', seed, what, key);
}
