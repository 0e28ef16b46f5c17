import { type AssetClass, QUANTITIES, type QuantityId } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { statesOf } from './cell-forms.ts';
import { type Mapping, readMapping } from './mapping.ts';
import { scoreMember } from './score-member.ts';

/** A quantity that a column can be mapped to. */
export interface QuantityRow {
  readonly id: QuantityId;
  /** Unit of the value after `scale` and `transform`. */
  readonly unit: string;
  /** Format of a cell. */
  readonly example: string;
  readonly meaning: string;
  /** Classes whose ratings read it; null: all. */
  readonly classes: readonly AssetClass[] | null;
}

const MOMENT = '2025-06-01T00:00:00.000Z';
const EXAMPLES: Readonly<Record<string, string>> = {
  usd: '125000.50',
  fraction: '0.25',
  fraction_per_day: '0.04',
  fraction_per_year: '0.03',
  fraction_of_circulating: '0.1',
  fraction_of_total: '0.2',
  percent: '-3.5',
  ln_ratio: '-0.2',
  ratio: '1.02',
  points: '60',
  days: '90',
  hours: '6',
  rank: '150',
  tokens: '1000000',
  count: '1200',
  votes: '250000',
  iso4217: 'EUR',
};

/**
 * All quantities of one asset that a cell can hold and that a rating reads, in the order of `src/domain/quantities.ts`.
 */
export function quantityRows(methodology: Methodology): readonly QuantityRow[] {
  const classes = Object.keys(methodology.classes) as AssetClass[];
  const readIn = new Map(classes.map((own) => [own, readsOf(own, methodology)]));
  return ids().flatMap((id) => {
    const own = classes.filter((one) => readIn.get(one)?.has(id));
    if (own.length === 0) return [];
    const { kind, meaning } = QUANTITIES[id];
    const unit =
      { date: 'date', boolean: 'yes or no', enum: 'state', text: 'text' }[kind as string] ?? QUANTITIES[id].unit;
    return [{ id, unit, example: exampleOf(id), meaning, classes: own.length === classes.length ? null : own }];
  });
}

/** All quantities without lists and without those of a pool, a market or a registry, because a row is one asset. */
function ids(): readonly QuantityId[] {
  return (Object.keys(QUANTITIES) as QuantityId[]).filter(
    (id) => QUANTITIES[id].kind !== 'list' && !/^(pool|venue|registry)_/.test(id) && id !== 'currency_usd',
  );
}

function exampleOf(id: QuantityId): string {
  const { kind, unit } = QUANTITIES[id];
  if (kind === 'date') return '2025-03-01';
  if (kind === 'boolean') return 'no';
  if (kind === 'enum') return statesOf(id)[0] ?? '';
  return EXAMPLES[unit] ?? (kind === 'text' ? 'text' : '1');
}

/** Quantities that ratings of a class read, on both kinds of chains, since features differ between them. */
function readsOf(own: AssetClass, methodology: Methodology): ReadonlySet<string> {
  const read = new Set<string>();
  for (const chain of ['ethereum', 'solana']) {
    const mapping = readMapping(
      { name: 'list', title: 'list', file: 'list', class: own, chain, features: { hd_count: { constant: 1 } } },
      methodology,
    );
    if (!mapping.ok) throw new Error(mapping.refusal.detail);
    for (const quantities of manners()) {
      const member = {
        id: 'list',
        group: null,
        class: own,
        failed: false,
        featureAt: Date.parse(MOMENT),
        outcomeAt: null,
        features: {},
        quantities,
      };
      scoreMember(member, { ...mapping.value, features: {} } satisfies Mapping, methodology, (name) => read.add(name));
    }
  }
  return read;
}

/**
 * Sets of known quantities to try, because some quantities are read only if another is known, missing, or has a certain
 * value: all, none, and halves that separate every pair.
 */
function manners(): readonly Readonly<Record<string, number | string | boolean>>[] {
  const all = ids();
  const bits = Array.from({ length: Math.ceil(Math.log2(all.length)) }, (_, bit) => bit);
  const chosen = bits.flatMap((bit) => [
    all.filter((_, at) => ((at >> bit) & 1) === 0),
    all.filter((_, at) => ((at >> bit) & 1) === 1),
  ]);
  return [all, all, [], ...chosen].map((own, at) =>
    Object.fromEntries(own.map((id) => [id, wordOf(id, at % 2 === 1)])),
  );
}

function wordOf(id: QuantityId, isOther: boolean): number | string | boolean {
  const { kind } = QUANTITIES[id];
  if (kind === 'boolean') return isOther;
  if (kind === 'enum') return (isOther ? statesOf(id).at(-1) : statesOf(id)[0]) ?? '';
  // The distance from a peg is measured relative to one dollar.
  if (id === 'peg_target_usd') return 1;
  if (id === 'peg_currency') return isOther ? 'USD' : 'EUR';
  if (kind === 'date') return `${exampleOf(id)}T00:00:00.000Z`;
  return kind === 'text' ? exampleOf(id) : Number(exampleOf(id));
}

/** The list for a terminal. */
export function quantityLines(rows: readonly QuantityRow[]): readonly string[] {
  const widths = (['id', 'unit', 'example'] as const).map((key) => Math.max(...rows.map((row) => row[key].length)));
  return rows.map(
    ({ id, unit, example, meaning, classes }) =>
      `${id.padEnd(widths[0] ?? 0)}  ${unit.padEnd(widths[1] ?? 0)}  ${example.padEnd(widths[2] ?? 0)}  ${meaning}${classes === null ? '' : ` (read in ${classes.join(', ')})`}`,
  );
}

/** The list as a Markdown table. */
export function quantityTable(rows: readonly QuantityRow[]): readonly string[] {
  return [
    '| quantity | unit | example | meaning | read in |',
    '|---|---|---|---|---|',
    ...rows.map(
      ({ id, unit, example, meaning, classes }) =>
        `| \`${id}\` | ${unit} | \`${example}\` | ${meaning.replaceAll('|', '\\|')} | ${classes === null ? 'all classes' : classes.join(', ')} |`,
    ),
  ];
}
