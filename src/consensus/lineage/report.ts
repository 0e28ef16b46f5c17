import type { Methodology } from '../../methodology/index.ts';
import type { Copying } from '../copying.ts';
import { REGISTER_GROUP } from '../weighed-observation.ts';
import { type Collection, claimsOf, LINEAGE_RULES, type LineageRules, type Unit } from './claims.ts';
import { correlationOf, type Dependence, dependenceOf, sharedOf } from './dependence.ts';
import type { PairCount } from './graph.ts';

/** Two units of the report and their common errors. */
export interface LineagePair {
  readonly units: readonly [string, string];
  /** Decided items that both units state. */
  readonly items: number;
  /**
   * Items about which both are wrong, those of them with the same figure, and how many of these are expected by chance.
   */
  readonly bothWrong: number;
  readonly shared: number;
  readonly expected: number;
  /** Shared errors beyond chance over all errors, 0-1; null if neither was found wrong. */
  readonly rho: number | null;
}

/**
 * Findings about lineage groups in the archive. They have no effect by themselves: only the rows of `copying` in a
 * methodology count.
 */
export interface LineageReport {
  readonly schema: 'assay.lineage/1';
  readonly methodology: { readonly version: string; readonly hash: string };
  readonly rules: LineageRules;
  readonly archive: {
    readonly collections: number;
    /** Times of the first and the last collection, RFC 3339; null without any. */
    readonly from: string | null;
    readonly to: string | null;
    /** Items that several units state, and those of them whose value is decided. */
    readonly items: number;
    readonly decided: number;
  };
  /** `group/source`, with the number of its decided statements and of the correct ones. */
  readonly units: readonly { readonly unit: string; readonly decided: number; readonly right: number }[];
  /**
   * Pairs with a common origin that no other pair explains; `evidence` is the logarithm of the Bayes factor against
   * chance.
   */
  readonly edges: readonly (LineagePair & { readonly evidence: number })[];
  /**
   * Pairs declared to be of one lineage group. `confirmed`: their errors agree; `apart`: their errors differ; otherwise
   * there are too few errors.
   */
  readonly declared: readonly (LineagePair & { readonly verdict: 'confirmed' | 'apart' | 'too_few_errors' })[];
  /** Correlations assumed by the methodology, with the measured ones; null: too few errors. */
  readonly assumed: readonly (Copying & { readonly measured: number | null })[];
  /** Proposed rows of `consensus.copying`: groups that are declared as independent but are wrong together. */
  readonly copying: readonly Copying[];
}

/**
 * Checks lineage groups by agreement in errors over an archive. The same collections, methodology and rules give the
 * same report, whatever the order of the collections.
 */
export function lineageOf(
  collections: readonly Collection[],
  methodology: Methodology,
  rules: LineageRules = LINEAGE_RULES,
): LineageReport {
  const claims = claimsOf(collections, methodology, rules);
  const found = dependenceOf(claims, rules);
  const { units } = claims;
  const name = (at: number) => nameOf(units[at]);
  const times = collections.map(({ asOf }) => asOf).sort();
  const rows = [...found.pairs.values()].sort((a, b) => a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]);
  const pairOf = (row: PairCount): LineagePair => ({
    units: [name(row.pair[0]), name(row.pair[1])],
    items: row.items,
    bothWrong: row.bothWrong.length,
    shared: sharedOf(row),
    expected: rounded(row.bothWrong.reduce((sum, { className }) => sum + (found.chance.get(className) ?? 0), 0)),
    rho: row.errors[0] === 0 || row.errors[1] === 0 ? null : rounded(correlationOf(row, found.chance)),
  });
  return {
    schema: 'assay.lineage/1',
    methodology: { version: methodology.version, hash: methodology.hash },
    rules,
    archive: {
      collections: collections.length,
      from: times[0] ?? null,
      to: times.at(-1) ?? null,
      items: claims.items.length,
      decided: found.decided,
    },
    units: units.map((unit, at) => ({ unit: nameOf(unit), ...(found.accuracy[at] ?? { decided: 0, right: 0 }) })),
    edges: found.edges.flatMap(({ pair, evidence }) => {
      const row = found.pairs.get(pair.join('-'));
      return row === undefined ? [] : [{ ...pairOf(row), evidence: rounded(evidence) }];
    }),
    declared: rows
      .filter(({ pair }) => units[pair[0]]?.family === units[pair[1]]?.family)
      .map((row) => ({ ...pairOf(row), verdict: verdictOf(row, found, rules) })),
    assumed: methodology.consensus.correlations.map((row) => ({
      ...row,
      measured: measuredOf(row, rows, units, found, rules),
    })),
    copying: copyingOf(rows, units, found, rules),
  };
}

function nameOf(unit: Unit | undefined): string {
  return `${unit?.family}/${unit?.source}`;
}

/** Rounded to three decimals: further ones are noise and differ between processors. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function verdictOf(row: PairCount, { rho, accuracy }: Dependence, { apart }: LineageRules) {
  const [a, b] = row.pair;
  if ((rho[a * accuracy.length + b] ?? 0) > 0) return 'confirmed';
  const share = sharedOf(row) / row.bothWrong.length;
  return row.bothWrong.length >= apart.leastBothWrong && share <= apart.mostShare ? 'apart' : 'too_few_errors';
}

/** Largest correlation of any two units of the groups; null if they were wrong together too rarely for an estimate. */
function measuredOf(
  { families: [a, b] }: Copying,
  rows: readonly PairCount[],
  units: readonly Unit[],
  { chance }: Dependence,
  { apart, leastShared }: LineageRules,
): number | null {
  const own = rows.filter(({ pair }) => {
    const [one, other] = [units[pair[0]]?.family, units[pair[1]]?.family];
    return (one === a && other === b) || (one === b && other === a);
  });
  const told = own.filter((row) => row.bothWrong.length >= apart.leastBothWrong || sharedOf(row) >= leastShared);
  return told.length === 0 ? null : rounded(Math.max(...told.map((row) => correlationOf(row, chance))));
}

function copyingOf(
  rows: readonly PairCount[],
  units: readonly Unit[],
  { rho }: Dependence,
  { leastRho }: LineageRules,
): readonly Copying[] {
  const found = new Map<string, Copying>();
  for (const { pair } of rows) {
    const families = [units[pair[0]]?.family ?? '', units[pair[1]]?.family ?? ''].sort() as [string, string];
    const value = rounded(rho[pair[0] * units.length + pair[1]] ?? 0);
    if (families[0] === families[1] || families.some(isItsOwnWitness) || value < leastRho) continue;
    const key = families.join('\n');
    if ((found.get(key)?.rho ?? 0) < value) found.set(key, { families, rho: value });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/**
 * Chain reads and register rows do not copy other sources: they read the state itself, or were compared with it by
 * hand.
 */
function isItsOwnWitness(family: string): boolean {
  return family.startsWith('chain:') || family === REGISTER_GROUP;
}
