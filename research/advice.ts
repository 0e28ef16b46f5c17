import { QUANTITIES, type QuantityId } from '../src/domain/index.ts';
import { featureWeights, type Methodology } from '../src/methodology/index.ts';
import { isEvmAddress } from './cell-forms.ts';
import { type ColumnRule, type Mapping, type Member, type Refusal, refuse, type Table } from './mapping.ts';
import { CRITICAL } from './not-rated.ts';
import type { DataSetReport } from './report/format.ts';
import { scoreMember } from './score-member.ts';
import { quoted } from './table.ts';

/** More than any possible number of wallets, trades or days: an amount in base units, or another column. */
const MOST_COUNTED = 1e11;
/** An amount of tokens in base units of 18 decimals; supplies in whole tokens are smaller. */
const BASE_UNITS = 1e21;
/** Rounding errors in the file are below one percent. */
const ROUNDING = 1e-4;
/** Members that are rated again to find which quantities a rating reads. */
const LOOKED_AT = 300;
/** Smallest share of a column that is worth a hint. */
const FEWEST = 20;

interface Column {
  readonly kind: 'features' | 'quantities';
  readonly id: string;
  readonly rule: ColumnRule;
  readonly unit: string;
  /** `isShare`: a share of a whole, at most one; `isSigned`: may be negative. */
  readonly isShare: boolean;
  readonly isSigned: boolean;
  readonly values: readonly number[];
}

/**
 * Impossible values: shares above one, counts above any possible count, and negative figures of quantities that cannot
 * be negative. A rating would use them unchecked, so the file is refused; null when all values are possible.
 */
export function impossible(
  file: string,
  members: readonly Member[],
  mapping: Mapping,
  methodology: Methodology,
): { readonly ok: false; readonly refusal: Refusal } | null {
  for (const { id, rule, unit, isShare, isSigned, values } of columnsOf(members, mapping, methodology)) {
    const from = `${file}: ${quoted(rule.column)} gives ${id}`;
    const largest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const above = values.filter((value) => value > 1 + ROUNDING).length;
    if (isShare && above > 0)
      return refuse(
        'out_of_range',
        `${from}, a fraction from 0 to 1, and ${portion(above, values.length)} of its values are above 1, the largest ${shown(largest)}${remedyOf(largest, rule)}`,
      );
    const many = unit === 'count' ? values.filter((value) => value > MOST_COUNTED).length : 0;
    if (many > 0)
      return refuse(
        'out_of_range',
        `${from}, a count, and ${portion(many, values.length)} of its values are above ${MOST_COUNTED.toExponential(0)}, the largest ${largest.toExponential(1)}: that looks like an amount in base units (wei), and no number of anything. Is it the right column?`,
      );
    const below = values.filter((value) => value < 0);
    if (!isSigned && below.length > 0)
      return refuse(
        'out_of_range',
        `${from}, which is never below zero, and ${portion(below.length, values.length)} of its values are, the first ${shown(below[0] ?? 0)}; if it means "not known", add it to "missing"`,
      );
  }
  return null;
}

function remedyOf(largest: number, rule: ColumnRule): string {
  const scale = rule.scale ?? 1;
  if (largest <= 1.1) return '; add "clamp": [0, 1] to its rule if these are small errors of the file';
  if (largest <= 110)
    return `: that looks like percent. Set "scale": ${Number((scale * 0.01).toPrecision(6))} in its rule`;
  if (largest <= 11_000)
    return `: that looks like basis points, or like percent with errors. Set "scale": ${Number((scale * 0.0001).toPrecision(6))} in its rule, or ${Number((scale * 0.01).toPrecision(6))} and "clamp": [0, 1]`;
  return ': that is no share of a whole. Is it the right column?';
}

/** Hints about the file and the mapping. They change no figure. */
export function adviceOf(
  table: Table,
  members: readonly Member[],
  mapping: Mapping,
  methodology: Methodology,
  outcome: DataSetReport['outcome'],
): readonly string[] {
  const columns = columnsOf(members, mapping, methodology);
  return [
    ...separatorsOf(table),
    ...unitsOf(columns),
    ...lockedOf(members, mapping),
    ...unusedOf(members, mapping, methodology),
    ...datesAhead(members, mapping),
    ...sameLetters(members),
    ...invertedOf(outcome, mapping),
  ];
}

function columnsOf(members: readonly Member[], mapping: Mapping, methodology: Methodology): readonly Column[] {
  const units = new Map(methodology.features.map(({ id, unit }) => [id, unit]));
  return (['features', 'quantities'] as const).flatMap((kind) =>
    Object.entries(mapping[kind]).flatMap(([id, rule]) => {
      const values = members.flatMap((member) => {
        const value = member[kind][id];
        return typeof value === 'number' ? [value] : [];
      });
      const unit = kind === 'features' ? (units.get(id) ?? '') : QUANTITIES[id as QuantityId].unit;
      const isShare = kind === 'features' ? SHARES.has(id) : isShareOfWhole(id as QuantityId);
      return rule.column === undefined ? [] : [{ kind, id, rule, unit, isShare, isSigned: isSigned(unit, id), values }];
    }),
  );
}

/** Features that are a share of a whole; other fractions (a discount, a dispersion, a growth) may exceed one. */
const SHARES: ReadonlySet<string> = new Set(
  'mq_wash mq_graded hd_top10 hd_top1 hd_creator cs_clients ts_tax ts_lp ts_lp_creator ts_lp_others sd_circ sd_insider gt_docs tr_dd'.split(
    ' ',
  ),
);

/** True for quantities that are a share of a whole, so that they are at most one. */
export function isShareOfWhole(id: QuantityId): boolean {
  const { kind, unit } = QUANTITIES[id];
  return kind === 'share' || (unit === 'fraction' && /_(share|tax|rate)$/.test(id));
}

function isSigned(unit: string, id: string): boolean {
  return (
    ['percent', 'ln_ratio', 'points', 'fraction_per_year'].includes(unit) ||
    /growth|infl|deviation|peg|nav|discount|yield/.test(id)
  );
}

function separatorsOf({ files }: Table): readonly string[] {
  const named = files.filter(({ separator }) => separator !== undefined);
  return named.map(
    ({ name, separator }) => `${name}: read with ${separator === '\t' ? 'tabs' : quoted(separator)} between columns`,
  );
}

/** Values within the limits whose unit still looks wrong. */
function unitsOf(columns: readonly Column[]): readonly string[] {
  return columns.flatMap(({ id, rule, unit, isShare, values }) => {
    const largest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    if (values.length < FEWEST || largest === 0) return [];
    const column = quoted(rule.column);
    if (unit === 'percent' && largest <= 1)
      return [
        `${column} gives ${id} in percent, and none of ${values.length} values is above 1: if they are fractions, set "scale": 100`,
      ];
    if (isShare && largest <= 0.011 && rule.scale === 0.01)
      return [
        `${column} gives ${id} and is scaled by 0.01, and its largest value is ${shown(largest)}: if the column has fractions already, take the scale away`,
      ];
    if (unit === 'tokens' && values.every((value) => value === 0 || value >= BASE_UNITS))
      return [
        `${column} gives ${id}, whole tokens, and each of ${values.length} values is 0 or above ${BASE_UNITS.toExponential(0)}: if they are base units, set "scale" to one over ten to the power of the token's decimals (1e-18 for 18)`,
      ];
    const above = values.filter((value) => value > 1).length;
    if (!isShare && unit.startsWith('fraction') && above > 0)
      return [
        `${column} gives ${id}, a fraction, and ${portion(above, values.length)} of its values are above 1, the largest ${shown(largest)}: if they are percent, set "scale": 0.01`,
      ];
    return [];
  });
}

/** Burned LP is locked for ever and included in `lp_locked_share`; many files have two separate columns. */
function lockedOf(members: readonly Member[], mapping: Mapping): readonly string[] {
  const locked = mapping.quantities.lp_locked_share;
  if (locked?.column === undefined) return [];
  const burned = mapping.quantities.lp_burned_share;
  if (burned?.column === undefined)
    return locked.plus === undefined
      ? [
          `lp_locked_share is the share of LP that is locked or burned: if ${quoted(locked.column)} leaves burned LP out, add its column with "plus": ["..."]`,
        ]
      : [];
  const both = members.flatMap(({ quantities: { lp_locked_share: all, lp_burned_share: part } }) =>
    typeof all === 'number' && typeof part === 'number' ? [[all, part] as const] : [],
  );
  const smaller = both.filter(([all, part]) => part > all + ROUNDING).length;
  return smaller === 0
    ? []
    : [
        `lp_locked_share includes burned LP, and in ${portion(smaller, both.length)} of the rows ${quoted(burned.column)} is larger than ${quoted(locked.column)}: the column seems to leave burned LP out. Add "plus": [${quoted(burned.column)}] to the rule of lp_locked_share`,
      ];
}

/** Mapped quantities that no feature of the class reads, or that change no rating. */
function unusedOf(members: readonly Member[], mapping: Mapping, methodology: Methodology): readonly string[] {
  const read = new Set<string>();
  const every = Math.max(1, Math.ceil(members.length / LOOKED_AT));
  const looked = members.filter((_, index) => index % every === 0);
  const rated = looked.map((member) => ratingOf(member, mapping, methodology, (quantity) => read.add(quantity)));
  const classes = [...new Set(members.map((member) => member.class))].sort();
  const weighed = new Set(
    classes.flatMap((own) => [...featureWeights(own, methodology)].flatMap(([id, weight]) => (weight > 0 ? [id] : []))),
  );
  const of = `of the class ${classes.join(', ')}`;
  // These change no score, but the live rule does not rate an asset without them.
  const asked: ReadonlySet<string> = new Set(CRITICAL.flat());
  const isIdle = (id: string) =>
    looked.some(({ quantities }) => quantities[id] !== undefined) &&
    looked.every((member, at) => {
      if (member.quantities[id] === undefined) return true;
      const { [id]: _, ...quantities } = member.quantities;
      return ratingOf({ ...member, quantities }, mapping, methodology) === rated[at];
    });
  return [
    ...Object.keys(mapping.quantities)
      .filter((id) => !read.has(id))
      .map((id) => `${id} is mapped, and no feature, flag or cap ${of} reads it: it changes nothing`),
    ...Object.keys(mapping.quantities)
      .filter((id) => read.has(id) && !asked.has(id) && isIdle(id))
      .map((id) => `${id} is mapped, and no rating of ${looked.length} that were looked at is another without it`),
    ...Object.keys(mapping.features)
      .filter((id) => !weighed.has(id))
      .map((id) => `${id} is mapped, and has no weight in the ratings ${of}: it changes nothing`),
  ];
}

/** All fields of a rating as one text. */
function ratingOf(...asked: Parameters<typeof scoreMember>): string {
  const { score, uncapped, caps, flags } = scoreMember(...asked);
  return JSON.stringify([score, uncapped, caps, flags]);
}

/** Creation dates after the time of the measurement, which are impossible. */
function datesAhead(members: readonly Member[], mapping: Mapping): readonly string[] {
  return Object.entries(mapping.quantities).flatMap(([id, rule]) => {
    if (QUANTITIES[id as QuantityId].kind !== 'date' || AHEAD.has(id)) return [];
    const known = members.filter((member) => typeof member.quantities[id] === 'string' && member.featureAt !== null);
    const ahead = known.filter((member) => Date.parse(String(member.quantities[id])) > (member.featureAt ?? 0));
    return ahead.length === 0
      ? []
      : [
          `${quoted(rule.column)} gives ${id}, and in ${portion(ahead.length, known.length)} of the rows it lies after ${quoted(mapping.featureTime ?? '')}: are the two columns exchanged, or was the row measured later?`,
        ];
  });
}

const AHEAD: ReadonlySet<string> = new Set(['lp_unlock_at', 'domain_expires_at']);

/**
 * Ids that differ only in case: on EVM chains the same address, on Solana two addresses, elsewhere often the same asset
 * twice.
 */
function sameLetters(members: readonly Member[]): readonly string[] {
  const seen = new Map<string, string>();
  const twice: string[] = [];
  let isEvm = true;
  for (const id of new Set(members.map((member) => member.id))) {
    const before = seen.get(id.toLowerCase());
    if (before === undefined) seen.set(id.toLowerCase(), id);
    else {
      twice.push(`${quoted(before)} and ${quoted(id)}`);
      isEvm &&= isEvmAddress(id);
    }
  }
  if (twice.length === 0) return [];
  const many = twice.length === 1 ? '1 id differs' : `${twice.length} ids differ`;
  return [
    `${many} from another in capital letters only (${twice[0]}): ${isEvm ? 'on EVM chains that is one address, and it counts twice; leave one of the rows out' : 'if they are one asset, it counts twice'}`,
  ];
}

/** Clearly below 0.5 (chance), with enough members to be significant. */
const INVERTED_AUC = 0.4;
const STRONG = 0.3;

function invertedOf(outcome: DataSetReport['outcome'], mapping: Mapping): readonly string[] {
  const [published] = outcome?.measured ?? [];
  if (outcome === null || published === undefined || mapping.outcome === null) return [];
  const upper = published.stratified?.auc.high ?? 1;
  const against = outcome.ablation.filter(({ kind, alone }) => kind === 'feature' && alone !== null && alone <= STRONG);
  const named = against.map(({ name, alone }) => `${name} ${alone?.toFixed(2)}`).join(', ');
  const { failed, survived } = mapping.outcome;
  if (published.values.auc < INVERTED_AUC && upper < 0.5)
    return [
      `the rating has AUC ${published.values.auc.toFixed(2)}: failed members are rated better than survivors. Are the outcomes exchanged? failed is ${quoted(failed.join(', '))}, survived is ${quoted(survived.join(', '))}${named === '' ? '' : `. Alone below .5: ${named}`}`,
    ];
  return against.length === 0
    ? []
    : [
        `alone these features rate failed members better than survivors: ${named}. Does the column mean the opposite (share left against share taken, "transform": "complement"), or another unit?`,
      ];
}

function portion(part: number, all: number): string {
  return `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
}

function shown(value: number): string {
  return String(Number(value.toPrecision(4)));
}
