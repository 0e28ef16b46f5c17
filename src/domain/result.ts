/** An expected failure is a value with a closed set of reasons; an exception is a bug. */
export type Result<Value, Failure> = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & Failure);

/** Wraps a value as a success. */
export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** Any value that JSON can carry. Evidence holds nothing else, so that an archive replays the same on another machine. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
