import type { Refusal } from './types.ts';

/** A data set that cannot be validated, and why. */
export function refuse(reason: Refusal['reason'], detail: string): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { reason, detail } };
}
