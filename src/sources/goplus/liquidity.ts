import { EVM_BURN_ADDRESSES } from '../../chains/index.ts';
import type { ObservationDraft } from '../../domain/index.ts';
import { amount, text } from '../read.ts';
import { flag, fraction, kindOfTag, said } from './values.ts';

interface LpHolder {
  readonly address: string;
  readonly percent?: string | number | null;
  readonly tag?: string | number | null;
  readonly is_locked?: string | number | null;
  readonly NFT_list?: unknown;
  readonly locked_detail?: unknown;
}

/**
 * Who holds the LP tokens of the token's main pair (EVM). Rows with an `NFT_list` are positions of a concentrated pool,
 * which nobody can lock by a token: when one is listed the whole statement is left out. Only the ten largest are listed,
 * so locked shares are lower bounds.
 */
export function liquidityDrafts(
  token: {
    readonly lp_holders?: readonly LpHolder[] | null;
    readonly creator_address?: unknown;
    readonly owner_address?: unknown;
  },
  asset: string,
): readonly ObservationDraft[] {
  const rows = token.lp_holders ?? [];
  const shares = rows.map((row) => fraction(row.percent));
  const concentrated = rows.some((row) => Array.isArray(row.NFT_list) && row.NFT_list.length > 0);
  if (rows.length === 0 || concentrated || shares.some((share) => share === null)) return [];
  const sum = (wanted: (row: LpHolder) => boolean) =>
    Math.min(
      1,
      rows.reduce((total, row, at) => total + (wanted(row) ? (shares[at] ?? 0) : 0), 0),
    );
  const insiders = new Set(
    [token.creator_address, token.owner_address].flatMap((value) =>
      typeof value === 'string' && value !== '' ? [value.toLowerCase()] : [],
    ),
  );
  const burned = (row: LpHolder) =>
    EVM_BURN_ADDRESSES.includes(row.address.toLowerCase()) || kindOfTag(text(row.tag, 60)) === 'burn';
  const locked = (row: LpHolder) => burned(row) || flag(row.is_locked) === true;
  const lockers = rows.filter((row) => locked(row) && !burned(row));
  const meaning = 'LP of the main pair, ten largest holders';
  return [
    ...said('lp_locked_share', sum(locked), `locked or burned ${meaning}`),
    ...said('lp_burned_share', sum(burned), `burned ${meaning}`),
    ...said(
      'lp_creator_share',
      insiders.size === 0
        ? null
        : sum((row) => insiders.has(row.address.toLowerCase()) && row.address.toLowerCase() !== asset),
      `creator or owner, ${meaning}`,
    ),
    ...said('lp_unlock_at', earliestUnlock(lockers), 'earliest end_time of the locks listed'),
    ...said(
      'lp_locker_known',
      lockers.length === 0 ? null : lockers.every((row) => text(row.tag, 60) !== null),
      'GoPlus names the lock contract',
    ),
  ];
}

/** `end_time` is RFC 3339 or Unix seconds in different replies; anything else is not read. */
function earliestUnlock(rows: readonly LpHolder[]): string | null {
  const times = rows
    .flatMap((row) => (Array.isArray(row.locked_detail) ? row.locked_detail : []))
    .map((detail: unknown) =>
      timeOf(
        typeof detail === 'object' && detail !== null ? (detail as Readonly<Record<string, unknown>>).end_time : null,
      ),
    )
    .filter((time) => time !== null);
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

const EARLIEST = Date.UTC(2015, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

function timeOf(value: unknown): number | null {
  const seconds = amount(value);
  const time = seconds !== null ? seconds * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time > EARLIEST && time < LATEST ? time : null;
}
