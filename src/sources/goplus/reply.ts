import Type, { type TSchema } from 'typebox';
import { isBurnAddress } from '../../chains/index.ts';
import type { ObservationDraft, RequestOutcome } from '../../domain/index.ts';
import { kindOfTag } from '../name-tags.ts';
import { holderRow, observed } from '../observations.ts';
import { amount, Maybe, share, text } from '../read.ts';

/** Schema of a reply: rows by token. */
export function goplusReply<Row extends TSchema>(row: Row) {
  return Type.Object({
    code: Type.Number(),
    message: Type.Optional(Type.String()),
    result: Maybe(Type.Record(Type.String(), row)),
  });
}

/**
 * Codes inside a 200: 1 is a result, 2 a partial one, 4029 the limit; others are errors (@goplus/sdk-node `ErrorCode`).
 * An empty result means that GoPlus has not indexed the token.
 */
export function classifyGoplus(
  reply: { readonly code: number; readonly message?: string },
  found: boolean,
): { readonly outcome: RequestOutcome; readonly detail?: string } {
  if (reply.code === 4029) return { outcome: 'rate_limited', detail: 'GoPlus code 4029: too many requests' };
  if (reply.code !== 1 && reply.code !== 2)
    return {
      outcome: 'error_reply',
      detail: `GoPlus code ${reply.code}: ${text(reply.message, 120) ?? 'no message'}`,
    };
  return found ? { outcome: 'ok' } : { outcome: 'empty', detail: 'GoPlus has not indexed this token' };
}

/** The row of this token. */
export function rowOf<Row>(result: Readonly<Record<string, unknown>> | null | undefined, key: string): Row | null {
  return result && Object.hasOwn(result, key) ? (result[key] as Row) : null;
}

interface HolderRow {
  readonly percent?: string | number | null;
  readonly tag?: string | number | null;
  readonly is_contract?: string | number | null;
  readonly is_locked?: string | number | null;
}

interface Holding {
  readonly owner: string;
  readonly share: number;
  readonly label: string | null;
  readonly isContract: boolean | null;
  readonly isLocked: boolean | null;
}

/** Upper limit of a share that allows for rounding. */
const ROUNDING = 1.000001;

/** The list of holders, summed by owner, and their GoPlus tags. Rows without a share are dropped; a share above 100 % is reduced to 100 %. */
export function holderDrafts<Row extends HolderRow>(
  rows: readonly Row[],
  ownerOf: (row: Row) => string | null,
): readonly ObservationDraft[] {
  const byOwner = new Map<string, Holding>();
  for (const row of rows.slice(0, 100)) {
    const owner = ownerOf(row);
    const share = amount(row.percent);
    if (owner === null || owner === '' || owner.length > 64 || share === null) continue;
    const known = byOwner.get(owner);
    byOwner.set(owner, {
      owner,
      share: (known?.share ?? 0) + share,
      label: known?.label ?? text(row.tag, 60),
      isContract: known?.isContract ?? flag(row.is_contract),
      isLocked: known?.isLocked ?? flag(row.is_locked),
    });
  }
  const holdings = [...byOwner.values()].sort((a, b) => b.share - a.share || (a.owner < b.owner ? -1 : 1));
  if (holdings.length === 0) return [];
  const labels = holdings.flatMap((row) => {
    const kind = kindOf(row);
    return kind === null ? [] : [{ address: row.owner, kind, label: row.label ?? kind }];
  });
  return [
    ...observed(
      'top_holders',
      holdings.map(holderOf),
      'the ten largest as GoPlus lists them, summed by owner, share of total supply',
    ),
    ...observed('holder_labels', labels.length === 0 ? null : labels, 'public tags of GoPlus'),
  ];
}

function holderOf(row: Holding) {
  const { owner, share, label, isContract, isLocked } = row;
  return holderRow(owner, Math.min(100, share * 100), { kind: kindOf(row), label, isContract, isLocked });
}

/** True if a holder is listed with more than the total supply, which means that the supply does not count all units. */
export function exceedsSupply(rows: readonly HolderRow[]): boolean {
  return rows.some((row) => (amount(row.percent) ?? 0) > ROUNDING);
}

/** Some burn addresses have no tag (recorded: 94 % of CAKE). */
function kindOf(row: Holding): string | null {
  return isBurnAddress(row.owner) ? 'burn' : kindOfTag(row.label);
}

/** A flag as GoPlus writes it: "1" and "0" (in some fields numbers). Null if absent, "" or any other value. */
export function flag(value: unknown): boolean | null {
  if (value === '1' || value === 1) return true;
  return value === '0' || value === 0 ? false : null;
}

/** A part of a whole that is divided in full among the rows; one that rounding puts above it (recorded: "1.000000000000022463") is all of it. */
export function partOfWhole(value: unknown): number | null {
  const part = amount(value);
  return part === null || part > ROUNDING ? null : Math.min(1, part);
}

/** A fraction 0-1 in a string ("0.1" is 10 %). */
export function fraction(value: unknown): number | null {
  return share(value, 1);
}
