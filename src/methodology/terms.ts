import Type, { type TSchema } from 'typebox';
import { BANDS, CATEGORIES, CLASSES, QUANTITIES, type QuantityId, SEVERITIES } from '../domain/index.ts';

/** Common parts of the methodology's schema. An object has the named properties and no other. */
export const strict = { additionalProperties: false };

/** A share or a confidence, 0-1. */
export const unit = Type.Number({ minimum: 0, maximum: 1 });
/** Points of a score, 0-100. */
export const points = Type.Number({ minimum: 0, maximum: 100 });
export const positive = Type.Number({ exclusiveMinimum: 0 });
export const count = Type.Integer({ minimum: 1 });
export const text = Type.String();
export const texts = Type.Array(text);

export const band = Type.Enum(BANDS);
export const severity = Type.Enum(SEVERITIES);
export const category = Type.Enum(CATEGORIES);
export const assetClass = Type.Enum(CLASSES);
/** A class, or `*` for every class without its own value. */
export const classOrAny = Type.Enum([...CLASSES, '*']);

/**
 * Checked against the list. An enumeration would be repeated in each place and would take most of the time of checking
 * a file.
 */
export const quantity = Type.Refine(
  Type.Unsafe<QuantityId>(Type.String()),
  (name) => Object.hasOwn(QUANTITIES, name),
  () => 'must be a quantity',
);

/** `Value` as deeply read-only. */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

export function nullable<Value extends TSchema>(value: Value) {
  return Type.Union([value, Type.Null()]);
}
