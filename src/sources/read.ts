import Type, { type TSchema } from 'typebox';
import type { Json } from '../domain/index.ts';

/**
 * The names of learned facts. `Object.keys` asks a record whose reading is watched for each name again, which for dozens of exchanges took
 * longer than their plans.
 */
export function namesOf(learned: Readonly<Record<string, Json>>): readonly string[] {
  return Reflect.ownKeys(learned).filter((name) => typeof name === 'string');
}

/** A number that a source may write as a number, a numeric string or null. */
export const Loose = Type.Union([Type.Number(), Type.String(), Type.Null()]);
export const LooseOptional = Type.Optional(Loose);
export const TextOptional = Maybe(Type.String());
export const FlagOptional = Maybe(Type.Boolean());

/** Fields that share one schema. */
export function fields<Schema extends TSchema, Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
): Readonly<Record<Name, Schema>> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** A field that may be null or missing. */
export function Maybe<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Nullable(schema));
}

/** A field that may be null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/**
 * A list of rows. It fits if it is empty or if one row fits, so that an invalid row does not reject the others; the valid rows are read
 * with `partsOf`.
 */
export function Rows<Schema extends TSchema>(row: Schema) {
  return Type.Union([Type.Array(row), Type.Array(Type.Unknown(), { contains: row })]);
}

/** Number or numeric string to a finite number; null for everything else. */
export function num(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER || !NUMBER.test(value)) return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** Longest text that is parsed as a number; 256 bits have 78 digits. */
const LONGEST_NUMBER = 400;
const NUMBER = /^\s*-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** A number above zero; 0, negative and unreadable values mean "unknown" at sources that document it. */
export function positive(value: unknown): number | null {
  const read = num(value);
  return read !== null && read > 0 ? read : null;
}

/** A number of zero or more. */
export function amount(value: unknown): number | null {
  const read = num(value);
  return read !== null && read >= 0 ? read : null;
}

/** A value between 0 and `whole`, as a fraction 0-1; null for anything else. */
export function share(value: unknown, whole: number): number | null {
  const read = num(value);
  return read !== null && read >= 0 && read <= whole ? read / whole : null;
}

/** The value when it is a boolean. */
export function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** An EVM address in lower case. */
export function evmAddress(value: unknown): string | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : null;
}

/** A Solana address. */
export function solanaAddress(value: unknown): string | null {
  return typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) ? value : null;
}

/** The rows of a list; [] for anything else. */
export function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; [] for anything else. */
export function textsIn(value: unknown): readonly string[] {
  return listIn(value).filter((row) => typeof row === 'string');
}

/** The fields of an object; {} for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Json>>)
    : {};
}

/** The rows of all lists under names that begin with `prefix`, in the order of the names. */
export function listsUnder(prefix: string, facts: Readonly<Record<string, Json>>): readonly Json[] {
  return Object.keys(facts)
    .filter((name) => name.startsWith(prefix))
    .sort()
    .flatMap((name) => listIn(facts[name]));
}

/** Cleans outside text: removes control and direction characters, trims, cuts at `longest` characters; null when nothing is left. */
export function text(value: unknown, longest = 120): string | null {
  if (typeof value !== 'string') return null;
  const clean = [...value.slice(0, longest * 4)]
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0;
      return (
        code >= 0x20 &&
        !(code >= 0x7f && code <= 0x9f) &&
        !(code >= 0x200b && code <= 0x200f) &&
        !(code >= 0x202a && code <= 0x202e) &&
        !(code >= 0x2060 && code <= 0x206f) &&
        code !== 0xfeff &&
        !(code >= 0xd800 && code <= 0xdfff)
      );
    })
    .join('')
    .trim()
    .slice(0, longest);
  return clean === '' ? null : clean;
}

/** RFC 3339 from a date text or from unix time in seconds or milliseconds; null for anything implausible. */
export function date(value: unknown): string | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && /^\d{9,14}$/.test(value) ? Number(value) : null;
  const at =
    number !== null
      ? number > 1e11
        ? number
        : number * 1000
      : typeof value === 'string'
        ? Date.parse(value)
        : Number.NaN;
  if (!Number.isFinite(at) || at < Date.parse('1985-01-01T00:00:00Z') || at > Date.parse('2100-01-01T00:00:00Z'))
    return null;
  return new Date(at).toISOString();
}

/**
 * Whole tokens of a raw integer amount as exact decimal text, with as many digits after the point as the token has
 * decimals (no point for 0 decimals). Null when `decimals` is not an integer 0-255 or the amount is negative.
 */
export function exactTokensOf(raw: bigint, decimals: number): string | null {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 255 || raw < 0n) return null;
  const digits = raw.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Whole tokens of a raw integer amount. The division uses decimal digits, so the only rounding is the final one to the
 * nearest double. Null when `decimals` is not an integer 0-255.
 */
export function tokensOf(raw: bigint, decimals: number): number | null {
  const exact = exactTokensOf(raw, decimals);
  return exact === null ? null : Number(exact);
}

/** Part of a whole in percent, 0-100, to about nine digits; null if there is no whole or the part exceeds it. */
export function sharePctOf(part: bigint, whole: bigint): number | null {
  if (whole <= 0n || part < 0n || part > whole) return null;
  return Number((part * 100_000_000_000n) / whole) / 1_000_000_000;
}

/** A non-negative integer in decimal digits (amounts that a JSON number cannot hold); null for anything else. */
export function readRaw(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : null;
}
