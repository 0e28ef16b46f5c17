import { BANDS, type Band } from '../../src/domain/index.ts';
import { loadMethodology, type Methodology } from '../../src/methodology/index.ts';
import type { Panel, PanelAsset } from './assets.ts';
import { rateAll } from './run.ts';

/** How a kind of disturbance moves the panel. */
export interface Fragility {
  readonly kind: string;
  readonly tried: number;
  /** Ratings outside the band expected, and without a band, of those tried. */
  readonly outside: number;
  readonly unrated: number;
  /** Ratings of another class than the file expects; flags that must not be raised; a score above the undisturbed one by more than a band's interval. */
  readonly misclassed: number;
  readonly false_flags: number;
  readonly lost_pairs: number;
  readonly cases: readonly string[];
}

type Change = readonly [what: string, asset: PanelAsset];
type Ratings = ReturnType<typeof rateAll>;

/** Numbers are moved by up to this share, as often as `DRAWS`. */
const JITTER = 0.2;
const DRAWS = 6;
/** What one source alone may say of an honest asset. */
const ACCUSATIONS: readonly (readonly [string, unknown, string])[] = [
  ['honeypot', true, 'boolean'],
  ['balance_mutable', true, 'boolean'],
  ['hidden_owner', true, 'boolean'],
  ['rug_executed', true, 'boolean'],
  ['cannot_sell_all', true, 'boolean'],
  ['fake_token', true, 'boolean'],
  ['airdrop_scam', true, 'boolean'],
  ['sanctioned', true, 'boolean'],
  ['self_destruct', true, 'boolean'],
  ['ownership_reclaimable', true, 'boolean'],
  ['sell_tax', 0.6, 'fraction'],
  ['creator_share', 0.9, 'fraction'],
  ['lp_creator_share', 0.99, 'fraction'],
  ['creator_dead_tokens_count', 9, 'count'],
  ['site_up', false, 'boolean'],
  ['regulatory_action', true, 'boolean'],
  ['permanent_delegate', true, 'boolean'],
];
const ACCUSERS = ['goplus', 'coingecko', 'website'];

/**
 * Every asset of a panel with one part of what is known of it taken away, moved or contradicted, by kind of disturbance. The disturbed asset is
 * held against its expected band and class, and against the undisturbed others of its pairs. `withheld` are the rows of registers of all assets of
 * one class at once. Deterministic.
 */
export function perturb(panel: Panel, methodology: Methodology = loadMethodology()): readonly Fragility[] {
  const whole = rateAll(panel.assets, methodology);
  const kinds = new Map<string, { tried: number; rows: Judged[] }>();
  for (const [kind, changes] of Object.entries(CHANGES))
    for (const { name, asset } of panel.assets)
      for (const [what, changed] of changes(asset)) {
        const row = kinds.get(kind) ?? { tried: 0, rows: [] };
        kinds.set(kind, row);
        row.tried += 1;
        const others = panel.assets.filter((other) => other.name !== name && isUnder(other.name, changed));
        const rated = rateAll([...others, { name, asset: changed }], methodology);
        row.rows.push(judge(panel, name, what, withOne(whole, name, rated)));
      }
  for (const of of [...new Set(panel.expected.map((row) => row.class))].sort()) {
    const names = panel.expected.filter((row) => row.class === of).map((row) => row.id);
    const assets = panel.assets.map(({ name, asset }) => ({
      name,
      asset: names.includes(name) ? { ...asset, registers: {} } : asset,
    }));
    const rated = rateAll(assets, methodology);
    const rows = names.map((name) => judge(panel, name, 'its class without rows', rated));
    kinds.set(`no rows: ${of}`, { tried: rows.length, rows });
  }
  return [...kinds].map(([kind, { tried, rows }]) => ({
    kind,
    tried,
    outside: rows.filter((row) => row.isOutside).length,
    unrated: rows.filter((row) => row.isUnrated).length,
    misclassed: rows.filter((row) => row.class !== null).length,
    false_flags: rows.filter((row) => row.flags.length > 0).length,
    lost_pairs: rows.reduce((sum, row) => sum + row.lost.length, 0),
    cases: rows.filter((row) => row.text !== null).map((row) => `${row.text}`),
  }));
}

interface Judged {
  readonly isOutside: boolean;
  readonly isUnrated: boolean;
  readonly class: string | null;
  readonly flags: readonly string[];
  readonly lost: readonly string[];
  readonly text: string | null;
}

function judge(panel: Panel, name: string, what: string, ratings: Ratings): Judged {
  const expected = panel.expected.find((row) => row.id === name);
  const rating = ratings.get(name);
  if (rating === undefined) throw new Error(`${name} was not rated`);
  const rank = (band: string) => BANDS.indexOf(band as Band);
  const isUnrated = rating.band === 'NR';
  const isOutside =
    expected !== undefined &&
    !isUnrated &&
    (rank(rating.band) > rank(expected.low) || rank(rating.band) < rank(expected.high));
  const codes = rating.flags.map((flag) => flag.code as string);
  const flags = expected?.mustNot.filter((code) => codes.includes(code)) ?? [];
  const of = expected === undefined || rating.class === expected.class ? null : String(rating.class);
  const lost = panel.pairs
    .filter((pair) => pair.strict && (pair.better === name || pair.worse === name))
    .filter((pair) => {
      const [above, below] = [ratings.get(pair.better)?.score, ratings.get(pair.worse)?.score];
      return typeof above === 'number' && typeof below === 'number' && above <= below;
    })
    .map((pair) => `${pair.better}>${pair.worse}`);
  const isMoved = isOutside || isUnrated || of !== null || flags.length > 0 || lost.length > 0;
  const parts = [`${rating.band} ${rating.score ?? '-'}`, of, ...flags.map((code) => `-${code}`), ...lost];
  return {
    isOutside,
    isUnrated,
    class: of,
    flags,
    lost,
    text: isMoved ? `${name}: ${what}: ${parts.filter((part) => part !== null).join(' ')}` : null,
  };
}

const isUnder = (name: string, asset: PanelAsset) =>
  (asset.registers?.protocol as { readonly underlying?: unknown } | null | undefined)?.underlying === name;

function withOne(whole: Ratings, name: string, rated: Ratings): Ratings {
  const all = new Map(whole);
  const one = rated.get(name);
  if (one !== undefined) all.set(name, one);
  return all;
}

const CHANGES: Readonly<Record<string, (asset: PanelAsset) => readonly Change[]>> = {
  'fact left out': (asset) =>
    [...new Set(asset.facts.map((fact) => fact.quantity))].map((quantity) => [
      quantity,
      { ...asset, facts: asset.facts.filter((fact) => fact.quantity !== quantity) },
    ]),
  'feature left out': (asset) =>
    (asset.features ?? []).map(({ feature }) => [
      feature,
      { ...asset, features: asset.features?.filter((row) => row.feature !== feature) ?? [] },
    ]),
  'source left out': (asset) =>
    [...new Set([...asset.facts.flatMap((fact) => fact.told_by), ...Object.keys(asset.registry_words)])].map(
      (source) => [
        source,
        {
          ...asset,
          registry_words: Object.fromEntries(Object.entries(asset.registry_words).filter(([name]) => name !== source)),
          facts: asset.facts
            .map((fact) => ({
              ...fact,
              told_by: fact.told_by.filter((name) => name !== source),
              heard: fact.told_by.length,
            }))
            .filter((fact) => fact.heard === 0 || fact.told_by.length > 0),
        },
      ],
    ),
  'words left out': (asset) => [['all registries', { ...asset, registry_words: {} }]],
  'row left out': (asset) =>
    Object.entries(asset.registers ?? {}).flatMap(([register, row]): readonly Change[] =>
      row === null ? [] : [[register, { ...asset, registers: { ...asset.registers, [register]: null } }]],
    ),
  'cell left out': (asset) =>
    Object.entries(asset.registers ?? {}).flatMap(([register, row]) =>
      Object.keys(row ?? {}).map(
        (cell): Change => [
          `${register}.${cell}`,
          {
            ...asset,
            registers: {
              ...asset.registers,
              [register]: Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => name !== cell)),
            },
          },
        ],
      ),
    ),
  'numbers moved': (asset) =>
    Array.from({ length: DRAWS }, (_, draw) => {
      const next = random(`${asset.id} ${draw}`);
      const moved = (value: unknown) => (typeof value === 'number' ? value * (1 + JITTER * (2 * next() - 1)) : value);
      return [
        `draw ${draw}`,
        {
          ...asset,
          facts: asset.facts.map((fact) =>
            IS_ONE_NUMBER(fact.quantity) ? fact : { ...fact, value: moved(fact.value) },
          ),
          features: asset.features?.map((row) => ({ ...row, value: moved(row.value) })) ?? [],
        },
      ];
    }),
  'one accuser': (asset) =>
    ACCUSATIONS.filter(
      ([quantity]) => !asset.facts.some((fact) => fact.quantity === quantity && isAdverse(fact.value)),
    ).flatMap(([quantity, value, unit]) =>
      ACCUSERS.map(
        (source): Change => [
          `${source} says ${quantity}`,
          { ...asset, facts: [...asset.facts, { quantity, scope: 'asset', value, unit, told_by: [source] }] },
        ],
      ),
    ),
  'other names': (asset) => [
    ['no id at registries', { ...asset, id: 'asset-of-the-panel' }],
    ['no chain known', { ...asset, chain: null, address: asset.address === 'native' ? null : asset.address }],
    ['no address', { ...asset, address: null }],
    ['no website', { ...asset, website: null }],
  ],
};

const isAdverse = (value: unknown) => value === true || (typeof value === 'number' && value > 0);
/** Prices of one asset at its venues, supplies and ratios to a peg are moved together or not at all: else they contradict each other. */
const IS_ONE_NUMBER = (quantity: string) =>
  /price|supply|peg|redemption|decimals|rank|market_cap|fdv|collateral|backing/.test(quantity);

/** A reproducible sequence of numbers in [0, 1). */
function random(seed: string): () => number {
  let state = [...seed].reduce((sum, sign) => Math.imul(sum ^ sign.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
