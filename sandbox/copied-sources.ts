import type { Observation, QuantityId } from '../src/domain/index.ts';
import { QUANTITIES } from '../src/domain/index.ts';
import { seededUnit } from './world/random.ts';

/** A fictional archive with planted copying between sources; the truth is known. */
export interface CopyWorld {
  readonly sources: readonly string[];
  /** Copy relations, by index in `sources`. */
  readonly planted: readonly {
    readonly copy: number;
    readonly of: number;
    /** Share of its statements that are copied, and where they begin when it has two origins. */
    readonly share: number;
    readonly from: number;
  }[];
  readonly collections: readonly {
    readonly assetId: string;
    readonly asOf: string;
    readonly observations: readonly Observation[];
  }[];
  /** True value of a quantity of a collection. */
  readonly truthOf: (collection: number, quantity: QuantityId) => number;
}

export interface CopySettings {
  readonly seed: number;
  readonly sources: number;
  /** Share of the sources that copy. */
  readonly density: number;
  /**
   * Probability that a source's own statement is wrong; each source has its own, from half of it to one and a half
   * times it.
   */
  readonly errors: number;
  /** Smallest and largest share of copied statements of a copy. */
  readonly copied: readonly [least: number, most: number];
  /**
   * `one`: all copies have the first source as their origin. `direct`: each has one origin, which is not a copy. `any`:
   * an origin may be a copy itself, and one copy in five has two origins.
   */
  readonly graph: 'one' | 'direct' | 'any';
  readonly assets: number;
  /** Share of the things that a source covers. */
  readonly coverage: number;
  /** Share of the own errors that are one of three common mistakes. */
  readonly common: number;
}

const WORLD_QUANTITIES = ['market_cap_usd', 'liquidity_dex_usd', 'holder_count', 'tvl_usd'] as const;
/** Half of the noise floors of their classes. */
const NOISE = { market_cap_usd: 0.005, liquidity_dex_usd: 0.025, holder_count: 0.05, tvl_usd: 0.05 } as const;
const REPLIES_LOST = 0.03;
export const WORLD_START = Date.parse('2026-03-01T00:00:00.000Z');

export function createCopyWorld(settings: CopySettings): CopyWorld {
  let drawn = 0;
  const random = () => {
    drawn += 1;
    return seededUnit('copied sources', settings.seed, drawn);
  };
  const sources = Array.from({ length: settings.sources }, (_, index) => `source${String(index).padStart(2, '0')}`);
  const planted = plantedEdges(settings, random);
  const errors = sources.map(() => settings.errors * (0.5 + random()));
  const truths: Record<string, number>[] = [];
  const collections = Array.from({ length: settings.assets }, (_, index) => {
    const asOf = new Date(WORLD_START + index * 3_600_000).toISOString();
    const truth: Record<string, number> = {};
    truths.push(truth);
    const observations = WORLD_QUANTITIES.flatMap((quantity) => {
      const actual = Math.exp(8 + 10 * random());
      truth[quantity] = actual;
      const said = statements(settings, { quantity, actual, errors, planted }, random);
      return said.flatMap((value, source) =>
        value === null || random() < REPLIES_LOST ? [] : [observationOf(sources[source] ?? '', quantity, value, asOf)],
      );
    });
    return { assetId: `asset${index}`, asOf, observations };
  });
  return { sources, planted, collections, truthOf: (at, quantity) => truths[at]?.[quantity] ?? Number.NaN };
}

function plantedEdges({ sources, density, copied, graph }: CopySettings, random: () => number): CopyWorld['planted'] {
  const copies = Math.round(sources * density);
  const origins = sources - copies;
  return Array.from({ length: copies }, (_, index) => index + origins).flatMap((copy) => {
    const first = Math.floor(random() * { one: 1, direct: origins, any: copy }[graph]);
    const share = copied[0] + (copied[1] - copied[0]) * random();
    const second = Math.floor(random() * copy);
    if (graph !== 'any' || second === first || random() > 0.2) return [{ copy, of: first, share, from: 0 }];
    return [
      { copy, of: first, share: share / 2, from: 0 },
      { copy, of: second, share: share / 2, from: share / 2 },
    ];
  });
}

function statements(
  { coverage, common }: CopySettings,
  thing: {
    readonly quantity: keyof typeof NOISE;
    readonly actual: number;
    readonly errors: readonly number[];
    readonly planted: CopyWorld['planted'];
  },
  random: () => number,
): readonly (number | null)[] {
  const noise = NOISE[thing.quantity];
  const mistakes = [10, 0.1, 1.8];
  const said: (number | null)[] = [];
  for (const [source, chance] of thing.errors.entries()) {
    const covered = random() < coverage;
    const [takes, wrong, anybody, how] = [random(), random() < chance, random() < common, random()];
    const far = (random() < 0.5 ? -1 : 1) * (8 + 60 * random()) * noise;
    const origin = thing.planted.find(
      ({ copy, from, share }) => copy === source && takes >= from && takes < from + share,
    );
    const taken = origin === undefined ? null : (said[origin.of] ?? null);
    const mistake = anybody ? Math.log(mistakes[Math.floor(how * mistakes.length)] ?? 1) : far;
    const own = thing.actual * Math.exp(wrong ? mistake : noise * normal(random));
    said.push(covered ? (taken ?? own) : null);
  }
  return said;
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function observationOf(source: string, quantity: QuantityId, value: number, at: string): Observation {
  const { unit, meaning } = QUANTITIES[quantity];
  return {
    quantity,
    scope: 'asset',
    value,
    unit,
    meaning,
    source,
    endpoint: 'row',
    family: source,
    tier: 'aggregator',
    observedAt: at,
    fetchedAt: at,
    reliability: 0.8,
    binding: 1,
    responseId: `${source}-${quantity}`,
  };
}
