import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { findChain } from '../src/chains/index.ts';
import { type AssetClass, ok, QUANTITIES, type QuantityId, type Result } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import { type NumberForm, statesOf } from './cell-forms.ts';
import bobai from './mappings/bobai.json' with { type: 'json' };
import cg2021 from './mappings/cg2021.json' with { type: 'json' };
import cg2022 from './mappings/cg2022.json' with { type: 'json' };
import cg2022jan from './mappings/cg2022jan.json' with { type: 'json' };
import cmc2017 from './mappings/cmc2017.json' with { type: 'json' };
import cmc2020 from './mappings/cmc2020.json' with { type: 'json' };
import coinmetrics from './mappings/coinmetrics.json' with { type: 'json' };
import pegged from './mappings/pegged.json' with { type: 'json' };
import tmRugpull from './mappings/tm_rugpull.json' with { type: 'json' };
import uniswapV2 from './mappings/uniswap_v2.json' with { type: 'json' };
import ydchenPolygon from './mappings/ydchen_polygon.json' with { type: 'json' };

export type Reason =
  | 'no_data'
  | 'unreadable'
  | 'bad_mapping'
  | 'missing_columns'
  | 'empty_file'
  | 'malformed_csv'
  | 'too_large'
  | 'duplicate_columns'
  | 'unknown_outcome'
  | 'no_failures'
  | 'no_survivors'
  | 'not_a_number'
  | 'not_a_date'
  | 'out_of_range'
  | 'duplicate_id'
  | 'nothing_known';

/** Why a data set cannot be validated; `detail` gives the location, the expected and the actual value. */
export interface Refusal {
  readonly reason: Reason;
  readonly detail: string;
}

export interface DataFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of the stored file, hex. */
  readonly sha256: string;
  readonly rows: number;
  /** Column separator; absent: a comma. */
  readonly separator?: string;
}

export interface Table {
  readonly files: readonly DataFile[];
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly file: string;
    readonly line: number;
    readonly cells: readonly string[];
  }[];
}

/** One member of a data set. */
export interface Member {
  readonly id: string;
  readonly group: string | null;
  /** Class of its rating. */
  readonly class: AssetClass;
  readonly failed: boolean;
  /** Milliseconds since 1970; null when the mapping has no time column, or the cell is empty. */
  readonly featureAt: number | null;
  readonly outcomeAt: number | null;
  /** Raw values of directly mapped features, by id; absent when not known. */
  readonly features: Readonly<Record<string, number | string>>;
  readonly quantities: Readonly<Record<string, number | string | boolean>>;
}

/** Results of a mapped column's cells, counted. */
export interface ColumnUse {
  readonly target: string;
  readonly column: string;
  readonly known: number;
  readonly missing: number;
  readonly malformed: number;
  readonly clamped: number;
}

/** A data set that cannot be validated, and why. */
export function refuse(reason: Refusal['reason'], detail: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { reason, detail } };
}

const text = Type.String({ minLength: 1, maxLength: 300 });
const column = Type.Union([text, Type.Null()]);
const strict = { additionalProperties: false };
/**
 * A condition on one column: one of several texts (`''` is the empty cell), none of several, or a number within limits.
 */
const condition = Type.Object(
  {
    column: text,
    is: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    not: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    atLeast: Type.Optional(Type.Number()),
    atMost: Type.Optional(Type.Number()),
  },
  strict,
);
/** How a cell becomes a value. Either `column` or `constant`. */
const rule = Type.Object(
  {
    column: Type.Optional(text),
    /** The same value for every row, from a description of the file. */
    constant: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
    /**
     * `days_before`: days from the cell's date to the row's feature time; `days_ago`: the date that many days before
     * it. `complement`: 1 - x. `boolean`: yes/no, true/false, 1/0.
     */
    transform: Type.Optional(
      Type.Enum(['log10', 'exp10', 'complement', 'reciprocal', 'boolean', 'days_before', 'days_ago', 'date']),
    ),
    /**
     * Columns of the same kind that are added, for example to count several yes-or-no columns; unknown if one of them
     * is.
     */
    plus: Type.Optional(Type.Array(text, { maxItems: 50 })),
    /** Column that the cell is divided by, before `scale`; unknown where it is empty or 0. */
    per: Type.Optional(text),
    /**
     * Steps after the transform, lowest first: the value of the last threshold that does not exceed the cell; null:
     * unknown.
     */
    steps: Type.Optional(
      Type.Array(Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.Null()])]), { minItems: 1 }),
    ),
    /** Ignored where the methodology has no such feature. */
    optional: Type.Optional(Type.Boolean()),
    /** Multiplied, then added, before the transform. */
    scale: Type.Optional(Type.Number()),
    offset: Type.Optional(Type.Number()),
    /** Limits after the transform; cells beyond them are set to the limit and counted. */
    clamp: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    /**
     * The cell becomes `yes` if a row that satisfies every condition has the same cell (for example, an earlier list
     * contains the same asset), otherwise `no`.
     */
    among: Type.Optional(Type.Array(condition, { minItems: 1 })),
    /** State, or number, by the cell's text. */
    states: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
    /** 0-1; default: the mapping's own. */
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /**
     * The value of an empty cell, if it has a meaning: in the unit of the feature or quantity, or one of its states.
     */
    whenMissing: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
    /** A cell that is not a number: refuse the file (default), or count it as missing. */
    malformed: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('missing')])),
  },
  strict,
);
/** Mapping of the columns of a file of labelled assets to features. */
const mapping = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9_-]{1,60}$' }),
    title: text,
    about: Type.Optional(Type.String({ maxLength: 2_000 })),
    /**
     * File name, with its folder if needed; `*` matches any text, and `.gz` may follow. A file with ids is a data set,
     * a file without ids is one asset.
     */
    file: text,
    /**
     * Column of the asset's id; a row with an empty cell is identified by its line number. Null: each file is one
     * asset.
     */
    id: Type.Optional(column),
    /** Null: outcomes are unknown, and only stability is measured. */
    outcome: Type.Optional(
      Type.Union([
        Type.Null(),
        Type.Object(
          {
            column: text,
            failed: Type.Array(Type.String(), { minItems: 1 }),
            survived: Type.Array(Type.String(), { minItems: 1 }),
            /** Outcomes that are neither failure nor survival: their rows are left out and counted. */
            leftOut: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
          },
          strict,
        ),
      ]),
    ),
    /** Column of the group of a row (the creator). */
    group: Type.Optional(column),
    /** Column of the time of the features; an id may then occur once per time. */
    featureTime: Type.Optional(column),
    /** Column of the time from which the outcome was known. */
    outcomeTime: Type.Optional(column),
    /** Days from `featureTime` to the time the features were measured (24-hour features: 1). */
    featureDelayDays: Type.Optional(Type.Number({ minimum: 0 })),
    /** With several times per asset: minimum interval in days. */
    everyDays: Type.Optional(Type.Number({ minimum: 1 })),
    class: Type.Optional(Type.String()),
    /** Class by a column: the first rule that fits; `class` if none does. */
    classBy: Type.Optional(
      Type.Array(Type.Object({ ...condition.properties, class: Type.String() }, strict), { minItems: 1 }),
    ),
    /** Conditions of every row; other rows are left out and counted. */
    where: Type.Optional(Type.Array(condition, { minItems: 1 })),
    /** Name of a chain, or null; the kind of chain decides which features apply. */
    chain: Type.Optional(column),
    /**
     * Features that the file's author looked up in lists. An empty cell is then a missing value of the lists, which
     * counts as in a rating.
     */
    searched: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** 0-1: confidence of a cell, as in a rating. */
    confidence: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
    /** Number format of the file: decimal separator, thousands separator, ignored signs. */
    number: Type.Optional(
      Type.Object(
        {
          decimal: Type.Optional(Type.Enum(['.', ','])),
          thousands: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
          strip: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 10 }), { maxItems: 20 })),
        },
        strict,
      ),
    ),
    /** Texts that mean "not known", besides the empty cell. */
    missing: Type.Optional(Type.Array(Type.String())),
    features: Type.Optional(Type.Record(Type.String(), rule)),
    quantities: Type.Optional(Type.Record(Type.String(), rule)),
    /** Columns that are known to contain the outcome, with the reason; refused as features. */
    knowsOutcome: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  strict,
);
const validator = Compile(mapping);

export type ColumnRule = Static<typeof rule>;
export type Condition = Static<typeof condition>;
/** A mapping with all defaults; its class is one of the methodology's. */
export type Mapping = Required<Omit<Static<typeof mapping>, 'class' | 'classBy' | 'number'>> & {
  readonly number?: NumberForm;
  readonly class: AssetClass;
  readonly classBy: readonly (Condition & { readonly class: AssetClass })[];
};

/** Confidence of a cell of a labelled file: that of a chain read through one node. */
const ONE_OPERATOR = 0.85;

/**
 * Parses a mapping file and checks it against this methodology: every feature, quantity, class and state must exist.
 */
export function readMapping(json: unknown, methodology: Methodology): Result<Mapping, { refusal: Refusal }> {
  if (!validator.Check(json))
    return refused(
      [...validator.Errors(json)].slice(0, 5).map((error) => `${error.instancePath || 'the file'}: ${error.message}`),
    );
  const given = json as unknown as Partial<Mapping> & Pick<Mapping, 'name' | 'title' | 'file'>;
  const read: Mapping = {
    about: '',
    id: null,
    outcome: null,
    group: null,
    featureTime: null,
    outcomeTime: null,
    featureDelayDays: 0,
    everyDays: 1,
    class: 'default',
    classBy: [],
    where: [],
    searched: [],
    chain: null,
    confidence: ONE_OPERATOR,
    missing: [],
    quantities: {},
    knowsOutcome: {},
    ...given,
    features: Object.fromEntries(
      Object.entries(given.features ?? {}).filter(
        ([id, one]) => one.optional !== true || methodology.features.some((row) => row.id === id),
      ),
    ),
  };
  const found = complaintsOf(read, methodology);
  return found.length > 0 ? refused(found) : ok(read);
}

function complaintsOf(mapping: Mapping, methodology: Methodology): readonly string[] {
  const features = new Map(methodology.features.map((row) => [row.id, row]));
  const { failed = [], survived = [], leftOut = [] } = mapping.outcome ?? {};
  const both = failed.filter((value) => survived.includes(value));
  const neither = leftOut.filter((value) => failed.includes(value) || survived.includes(value));
  const rules = [...Object.entries(mapping.features), ...Object.entries(mapping.quantities)];
  return [
    ...[{ class: mapping.class }, ...mapping.classBy]
      .filter((row) => !Object.hasOwn(methodology.classes, row.class))
      .map(
        (row) => `class: ${row.class} is none of the methodology's (${Object.keys(methodology.classes).join(', ')})`,
      ),
    ...mapping.searched
      .filter((id) => features.get(id)?.silence.kind !== 'T')
      .map((id) => `searched: ${id} is no feature that third parties list`),
    ...mapping.where.flatMap((row, at) => conditionComplaints(`where[${at}]`, row)),
    ...mapping.classBy.flatMap((row, at) => [
      ...conditionComplaints(`classBy[${at}]`, row),
      ...columnComplaints(`classBy[${at}]`, [row.column], mapping),
    ]),
    ...(mapping.chain !== null && !findChain(mapping.chain) ? [`chain: ${mapping.chain} is not known`] : []),
    ...(rules.length === 0 ? ['features, quantities: at least one column must be mapped'] : []),
    ...both.map((value) => `outcome: ${JSON.stringify(value)} is both failed and survived`),
    ...neither.map((value) => `outcome: ${JSON.stringify(value)} is left out, and failed or survived`),
    ...Object.keys(mapping.features)
      .filter((id) => !features.has(id))
      .map((id) => `features: the methodology has no ${id}; it has ${[...features.keys()].join(', ')}`),
    ...Object.keys(mapping.quantities)
      .filter((id) => !Object.hasOwn(QUANTITIES, id))
      .map((id) => `quantities: ${id} is not known; assay validate --quantities lists all`),
    ...agesWithoutTime(mapping),
    ...Object.entries(mapping.quantities).flatMap(([id, one]) => unknownStates(id, one)),
    ...rules.flatMap(([id, one]) => ruleComplaints(id, one, mapping, features.get(id)?.states ?? null)),
  ];
}

/** Columns whose cells a rule reads as values. */
export function ruleColumns({ column, plus = [], per }: ColumnRule): readonly string[] {
  return [column, ...plus, per].filter((one) => one !== undefined);
}

/** False for a rule whose cells are dates, states or texts. */
function isNumeric(id: string, { states, transform }: ColumnRule): boolean {
  const kind = Object.hasOwn(QUANTITIES, id) ? QUANTITIES[id as QuantityId].kind : 'linear';
  const isNumber = kind === 'log' || kind === 'linear' || kind === 'share' || kind === 'exact';
  return isNumber && states === undefined && (transform === undefined || !NOT_DIVIDED.has(transform));
}

const NOT_DIVIDED: ReadonlySet<string> = new Set(['boolean', 'date', 'days_before', 'days_ago']);

function ruleComplaints(
  id: string,
  one: ColumnRule,
  mapping: Mapping,
  states: Readonly<Record<string, number>> | null,
): readonly string[] {
  const columns = ruleColumns(one);
  const own = [...Object.values(one.states ?? {}), ...(one.whenMissing === undefined ? [] : [one.whenMissing])];
  const unknown = own.filter(
    (state) => states !== null && Object.keys(states).length > 0 && !Object.hasOwn(states, String(state)),
  );
  return [
    ...((one.column === undefined) === (one.constant === undefined) ? [`${id}: give either column or constant`] : []),
    ...columnComplaints(id, columns, mapping),
    ...(one.constant !== undefined && one.whenMissing !== undefined
      ? [`${id}: a constant has no empty cells for whenMissing`]
      : []),
    ...(one.per !== undefined && (one.column === undefined || !isNumeric(id, one))
      ? [`${id}: per needs a column of numbers`]
      : []),
    ...(one.among ?? []).flatMap((row, at) => conditionComplaints(`${id}: among[${at}]`, row)),
    ...(one.among !== undefined && (one.column === undefined || one.states === undefined)
      ? [`${id}: among needs a column, and states that say what yes and no mean`]
      : []),
    ...((one.steps ?? []).some(([from], at, steps) => at > 0 && from <= (steps[at - 1]?.[0] ?? from))
      ? [`${id}: the thresholds of steps must rise`]
      : []),
    ...((one.transform === 'days_before' || one.transform === 'days_ago') && mapping.featureTime === null
      ? [`${id}: ${one.transform} needs featureTime`]
      : []),
    ...(one.clamp !== undefined && one.clamp[0] > one.clamp[1] ? [`${id}: clamp must be [low, high]`] : []),
    ...unknown.map((state) => `${id}: it has no state ${state}; it has ${Object.keys(states ?? {}).join(', ')}`),
  ];
}

/**
 * A date becomes an age only relative to the time of the row; relative to the present, every row of an old file would
 * be years too old.
 */
function agesWithoutTime(mapping: Mapping): readonly string[] {
  if (mapping.featureTime !== null) return [];
  return Object.keys(mapping.quantities)
    .filter((id) => Object.hasOwn(QUANTITIES, id) && QUANTITIES[id as QuantityId].kind === 'date')
    .map(
      (id) =>
        `quantities: ${id}: ages are reckoned from it to featureTime, and the mapping names none. Name the column of the moment at which the row was measured ("featureTime": "measured_at"), or leave ${id} out; a column of days goes to a feature in days, such as tr_age`,
    );
}

function unknownStates(id: string, one: ColumnRule): readonly string[] {
  const states = Object.hasOwn(QUANTITIES, id) ? statesOf(id as QuantityId) : [];
  return states.length === 0
    ? []
    : Object.values(one.states ?? {})
        .filter((state) => !states.includes(String(state)))
        .map((state) => `quantities: ${id}: it has no state ${state}; it has ${states.join(', ')}`);
}

/** Refuses columns that are the outcome, or are known to contain it. */
function columnComplaints(of: string, columns: readonly string[], mapping: Mapping): readonly string[] {
  return columns.flatMap((column) => [
    ...(column === mapping.outcome?.column ? [`${of}: its column is the outcome`] : []),
    ...(Object.hasOwn(mapping.knowsOutcome, column)
      ? [`${of}: column ${JSON.stringify(column)} knows the outcome: ${mapping.knowsOutcome[column]}`]
      : []),
  ]);
}

function conditionComplaints(of: string, { is, not, atLeast, atMost }: Condition): readonly string[] {
  const given = [is, not, atLeast, atMost].some((one) => one !== undefined);
  return given ? [] : [`${of}: give at least one of is, not, atLeast, atMost`];
}

function refused(found: readonly string[]): { readonly ok: false; readonly refusal: Refusal } {
  return refuse('bad_mapping', found.join('; '));
}

/** Shipped mappings of public labelled files. The files are not shipped: most have no licence that allows it. */
export const MAPPINGS: readonly unknown[] = [
  bobai,
  tmRugpull,
  ydchenPolygon,
  uniswapV2,
  cmc2017,
  cmc2020,
  cg2021,
  cg2022jan,
  cg2022,
  pegged,
  coinmetrics,
];
