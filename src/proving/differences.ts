import { counted, DAY_MS, type Json } from '../domain/index.ts';

const POWER_SLACK = 0.02;

/** How a number or a date differs from the expected one, with the usual cause of such a difference. */
export function describeDifference(want: Json, got: Json): string {
  const shown = `${shownValue(got)} instead of ${shownValue(want)}`;
  const cause = typeof want === 'number' && typeof got === 'number' ? numberCause(want, got) : dateCause(want, got);
  return cause === null ? shown : `${shown}: ${cause}`;
}

function numberCause(want: number, got: number): string | null {
  if (got === 0 || want === 0) return null;
  if (near(got, -want)) return 'the sign is the other one';
  if (Math.sign(got) !== Math.sign(want)) return 'of the other sign';
  const ratio = got / want;
  const power = Math.log10(ratio);
  if (Math.abs(power) > 0.9 && Math.abs(power - Math.round(power)) < POWER_SLACK)
    return `10^${Math.round(power)} times as much, as of another unit`;
  if (near(ratio, 0.5) || near(ratio, 2))
    return `${ratio > 1 ? 'twice' : 'half'}, as of ${ratio > 1 ? 'both sides' : 'one side'} only`;
  if (near(got * want, 1)) return 'one over it, as of the other side of the pair';
  return ratio > 3 || ratio < 1 / 3 ? `${short(ratio)} times` : `${ratio > 1 ? '+' : ''}${short(100 * (ratio - 1))} %`;
}

function dateCause(want: Json, got: Json): string | null {
  const [from, to] = [want, got].map((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return null;
  const days = Math.round(Math.abs(to - from) / DAY_MS);
  return `${counted(days, 'day')} ${to < from ? 'earlier' : 'later'}`;
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= POWER_SLACK * Math.max(Math.abs(a), Math.abs(b));
}

function short(value: number): string {
  return Number(value.toPrecision(3)).toString();
}

/** A value for display, shortened. */
export function shownValue(value: Json): string {
  const text =
    typeof value === 'number' ? Number(value.toPrecision(8)).toString() : (JSON.stringify(value) ?? 'nothing');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
