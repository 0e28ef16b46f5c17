import Type, { type TSchema } from 'typebox';
import { BANDS, CATEGORIES, CLASSES, QUANTITIES, type QuantityId, SEVERITIES } from '../domain/index.ts';

/** What the parts of the methodology's schema have in common. An object has the named properties and no other. */
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
/** A class, or `*`: what has no value of its own. */
export const classOrAny = Type.Enum([...CLASSES, '*']);

/** Asked of the list: an enumeration would be written out at each place, and is most of the time that checking a file takes. */
export const quantity = Type.Refine(
  Type.Unsafe<QuantityId>(Type.String()),
  (name) => Object.hasOwn(QUANTITIES, name),
  () => 'must be a quantity',
);

/** `Value`, and nothing in it can be written to. */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value;

export function nullable<Value extends TSchema>(value: Value) {
  return Type.Union([value, Type.Null()]);
}
