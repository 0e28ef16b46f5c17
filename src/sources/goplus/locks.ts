import { amount, fieldsOf, listIn } from '../read.ts';
import { flag } from './reply.ts';

/** A row of holders of a token or of its LP, as far as it speaks of locks. */
interface LockRow {
  readonly is_locked?: unknown;
  readonly balance?: unknown;
  readonly locked_detail?: unknown;
}

/** Greatest part of a balance that may be missing in the sum of its locks: both are rounded. */
const ROUNDING = 1e-6;

/**
 * Part of a holder's balance that is locked at `now` (milliseconds), 0-1: the locks whose end lies ahead, of the
 * balance, or of all locks where they are more. `balance` and `amount` are whole tokens (recorded: UniCrypt, both
 * "3661.661917763572010459"). Without dates or amounts `is_locked` decides, unless the dates that are given have
 * passed.
 */
export function lockedPart(row: LockRow, now: number): number {
  if (flag(row.is_locked) !== true) return 0;
  const locks = locksOf(row);
  const ends = locks.flatMap(({ end }) => end ?? []);
  if (ends.length === 0) return 1;
  const ahead = locks.filter(({ end }) => end !== null && end > now);
  if (ahead.length === 0) return 0;
  const sum = (list: readonly Lock[]) => list.reduce((total, { units }) => total + (units ?? 0), 0);
  const whole = Math.max(sum(locks), amount(row.balance) ?? 0);
  if (whole === 0 || ahead.some(({ units }) => units === null)) return ahead.length === locks.length ? 1 : 0;
  const part = sum(ahead) / whole;
  return part >= 1 - ROUNDING ? 1 : part;
}

/** End of the first lock that lies ahead, as a time; null where none is given. */
export function earliestUnlock(rows: readonly LockRow[], now: number): string | null {
  const times = rows.flatMap(locksOf).flatMap(({ end }) => (end !== null && end > now ? [end] : []));
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

interface Lock {
  readonly units: number | null;
  /** Milliseconds; null where no date can be read. */
  readonly end: number | null;
}

function locksOf({ locked_detail: details }: LockRow): readonly Lock[] {
  return listIn(details).map((detail) => {
    const { amount: units, end_time: end } = fieldsOf(detail);
    return { units: amount(units), end: timeOf(end) };
  });
}

const EARLIEST = Date.UTC(2015, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

/** `end_time` is RFC 3339 in some replies and Unix seconds in others; any other value is ignored. */
function timeOf(value: unknown): number | null {
  const seconds = amount(value);
  const time = seconds !== null ? seconds * 1_000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time > EARLIEST && time < LATEST ? time : null;
}
