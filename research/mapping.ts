import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { findChain } from '../src/chains/index.ts';
import { ok, QUANTITIES, type Result } from '../src/domain/index.ts';
import type { Methodology } from '../src/methodology/index.ts';
import bobai from './mappings/bobai.json' with { type: 'json' };
import coinmetrics from './mappings/coinmetrics.json' with { type: 'json' };
import tmRugpull from './mappings/tm_rugpull.json' with { type: 'json' };
import ydchenPolygon from './mappings/ydchen_polygon.json' with { type: 'json' };
import { type ColumnRule, type Mapping, type Refusal, refuse } from './types.ts';

const text = Type.String({ minLength: 1, maxLength: 300 });
const column = Type.Union([text, Type.Null()]);
const strict = { additionalProperties: false };
const rule = Type.Object(
  {
    column: Type.Optional(text),
    constant: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Boolean()])),
    transform: Type.Optional(
      Type.Union(
        ['log10', 'exp10', 'complement', 'reciprocal', 'boolean', 'days_before', 'date'].map((name) =>
          Type.Literal(name),
        ),
      ),
    ),
    plus: Type.Optional(Type.Array(text, { maxItems: 50 })),
    steps: Type.Optional(
      Type.Array(Type.Tuple([Type.Number(), Type.Union([Type.Number(), Type.Null()])]), { minItems: 1 }),
    ),
    optional: Type.Optional(Type.Boolean()),
    scale: Type.Optional(Type.Number()),
    offset: Type.Optional(Type.Number()),
    clamp: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    states: Type.Optional(Type.Record(Type.String(), Type.String())),
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    malformed: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('missing')])),
  },
  strict,
);
const validator = Compile(
  Type.Object(
    {
      name: Type.String({ pattern: '^[a-z0-9_-]{1,60}$' }),
      title: text,
      about: Type.Optional(Type.String({ maxLength: 2_000 })),
      file: text,
      id: Type.Optional(column),
      outcome: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Object(
            {
              column: text,
              failed: Type.Array(Type.String(), { minItems: 1 }),
              survived: Type.Array(Type.String(), { minItems: 1 }),
            },
            strict,
          ),
        ]),
      ),
      group: Type.Optional(column),
      featureTime: Type.Optional(column),
      outcomeTime: Type.Optional(column),
      featureDelayDays: Type.Optional(Type.Number({ minimum: 0 })),
      everyDays: Type.Optional(Type.Number({ minimum: 1 })),
      class: Type.Optional(Type.String()),
      chain: Type.Optional(column),
      confidence: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
      missing: Type.Optional(Type.Array(Type.String())),
      features: Type.Optional(Type.Record(Type.String(), rule)),
      quantities: Type.Optional(Type.Record(Type.String(), rule)),
      knowsOutcome: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    strict,
  ),
);

/** A cell of a labelled file is worth what a read through one node of a chain is worth. */
const ONE_OPERATOR = 0.85;

/** A mapping file, checked against this methodology: every feature, quantity, class and state must exist. */
export function readMapping(json: unknown, methodology: Methodology): Result<Mapping, { refusal: Refusal }> {
  if (!validator.Check(json))
    return refused(
      [...validator.Errors(json)].slice(0, 5).map((error) => `${error.instancePath || 'the file'}: ${error.message}`),
    );
  const given = json as unknown as Partial<Mapping> & Pick<Mapping, 'name' | 'title' | 'file'>;
  const mapping: Mapping = {
    about: '',
    id: null,
    outcome: null,
    group: null,
    featureTime: null,
    outcomeTime: null,
    featureDelayDays: 0,
    everyDays: 1,
    class: 'default',
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
  const found = complaintsOf(mapping, methodology);
  return found.length > 0 ? refused(found) : ok(mapping);
}

function complaintsOf(mapping: Mapping, methodology: Methodology): readonly string[] {
  const features = new Map(methodology.features.map((row) => [row.id, row]));
  const both = (mapping.outcome?.failed ?? []).filter((value) => mapping.outcome?.survived.includes(value));
  const rules = [...Object.entries(mapping.features), ...Object.entries(mapping.quantities)];
  return [
    ...(Object.hasOwn(methodology.classes, mapping.class)
      ? []
      : [`class: ${mapping.class} is none of the methodology's (${Object.keys(methodology.classes).join(', ')})`]),
    ...(mapping.chain !== null && !findChain(mapping.chain) ? [`chain: ${mapping.chain} is not known`] : []),
    ...(rules.length === 0 ? ['features, quantities: at least one column must be mapped'] : []),
    ...both.map((value) => `outcome: ${JSON.stringify(value)} is both failed and survived`),
    ...Object.keys(mapping.features)
      .filter((id) => !features.has(id))
      .map((id) => `features: the methodology has no ${id}; it has ${[...features.keys()].join(', ')}`),
    ...Object.keys(mapping.quantities)
      .filter((id) => !Object.hasOwn(QUANTITIES, id))
      .map((id) => `quantities: ${id} is not known (docs/validation.md names those that matter)`),
    ...rules.flatMap(([id, one]) => ruleComplaints(id, one, mapping, features.get(id)?.states ?? null)),
  ];
}

function ruleComplaints(
  id: string,
  one: ColumnRule,
  mapping: Mapping,
  states: Readonly<Record<string, number>> | null,
): readonly string[] {
  const columns = [...(one.column === undefined ? [] : [one.column]), ...(one.plus ?? [])];
  const leaking = columns.filter((column) => Object.hasOwn(mapping.knowsOutcome, column));
  const unknown = Object.values(one.states ?? {}).filter(
    (state) => states !== null && Object.keys(states).length > 0 && !Object.hasOwn(states, state),
  );
  return [
    ...((one.column === undefined) === (one.constant === undefined) ? [`${id}: give either column or constant`] : []),
    ...(columns.some((column) => column === mapping.outcome?.column) ? [`${id}: its column is the outcome`] : []),
    ...leaking.map(
      (column) => `${id}: column ${JSON.stringify(column)} knows the outcome: ${mapping.knowsOutcome[column]}`,
    ),
    ...((one.steps ?? []).some(([from], at, steps) => at > 0 && from <= (steps[at - 1]?.[0] ?? from))
      ? [`${id}: the thresholds of steps must rise`]
      : []),
    ...(one.transform === 'days_before' && mapping.featureTime === null
      ? [`${id}: days_before needs featureTime`]
      : []),
    ...(one.clamp !== undefined && one.clamp[0] > one.clamp[1] ? [`${id}: clamp must be [low, high]`] : []),
    ...unknown.map((state) => `${id}: it has no state ${state}; it has ${Object.keys(states ?? {}).join(', ')}`),
  ];
}

function refused(found: readonly string[]): { readonly ok: false; readonly refusal: Refusal } {
  return refuse('bad_mapping', found.join('; '));
}

/** Mappings of public labelled files that come with the product. The files do not: most carry no licence to pass them on. */
export const MAPPINGS: readonly unknown[] = [bobai, tmRugpull, ydchenPolygon, coinmetrics];
