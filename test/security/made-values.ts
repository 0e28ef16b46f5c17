import { HOSTILE_TEXTS } from './hostile-texts.ts';
import type { OpenApi, Schema } from './open-api.ts';
import type { Chance } from './seeded.ts';

const TEXTS = Object.values(HOSTILE_TEXTS);
const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0,
  1e308,
  2 ** 53,
  1.5,
  '',
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
];
const MOST_DEPTH = 6;

/** A value that fits a schema, with pieces spoiled as often as `spoil` says (0 to 1). */
export function madeValue(api: OpenApi, given: Schema, chance: Chance, spoil: number, depth = 0): unknown {
  if (chance.once(spoil)) return chance.once(0.5) ? chance.pick(TEXTS) : chance.pick(ODD);
  const schema = api.resolve(given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return madeValue(api, chance.pick(choices), chance, spoil, depth + 1);
  switch (Array.isArray(schema.type) ? chance.pick(schema.type) : schema.type) {
    case 'object':
      return madeObject(api, schema, chance, spoil, depth);
    case 'array':
      return depth > MOST_DEPTH
        ? []
        : Array.from({ length: chance.below(4) }, () => madeValue(api, schema.items ?? {}, chance, spoil, depth + 1));
    case 'integer':
      return madeNumber(schema, chance, true);
    case 'number':
      return madeNumber(schema, chance, false);
    case 'boolean':
      return chance.once(0.5);
    case 'null':
      return null;
    default:
      return madeText(schema, chance);
  }
}

function madeObject(
  api: OpenApi,
  schema: Schema,
  chance: Chance,
  spoil: number,
  depth: number,
): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) === true;
    if (isNeeded ? !chance.once(spoil) : chance.once(0.4))
      made[name] = madeValue(api, property, chance, spoil, depth + 1);
  }
  if (chance.once(spoil))
    // Defined, not assigned: `__proto__` is to be a name like any other.
    Object.defineProperty(made, chance.pick(['__proto__', 'constructor', 'prototype', 'x', '', '__defineGetter__']), {
      value: chance.pick<unknown>([{ polluted: true }, 1, 'x']),
      enumerable: true,
      configurable: true,
    });
  return made;
}

function madeNumber({ minimum = -5, maximum = 2_000 }: Schema, chance: Chance, whole: boolean): number {
  const edge = [minimum, maximum, minimum - 1, maximum + 1];
  if (chance.once(0.3)) return chance.pick(edge);
  const value = minimum + chance.next() * (maximum - minimum);
  return whole ? Math.round(value) : value;
}

const DATES = [
  '2026-11-20',
  '2026-11-21T00:00:00Z',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '2026-11-21T10:00:00+25:00',
  '1',
];

function madeText({ format, maxLength }: Schema, chance: Chance): string {
  if (format === 'date-time' || format === 'date') return chance.pick(DATES);
  if (maxLength !== undefined && chance.once(0.1)) return 'x'.repeat(Math.min(20_000, maxLength + chance.below(3) - 1));
  if (chance.once(0.3)) return chance.pick(TEXTS);
  return chance.pick([
    'a',
    'Tidewell',
    'https://tidewell.example/',
    'TIDE',
    'solana',
    ...DATES,
    'acc_1',
    'score',
    'posttge',
  ]);
}
