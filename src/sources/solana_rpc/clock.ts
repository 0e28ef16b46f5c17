import { type RawAccount, readAccount } from './accounts.ts';

/** The sysvar that tells the time of a slot. */
export const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
/** Slot, start of the epoch, epoch, epoch of the leader schedule, and the time: five numbers of eight bytes. */
const CLOCK_BYTES = 40;
const EPOCH_AT = 16;
const TIME_AT = 32;
/** A time beyond the year 9999 is none. */
const LAST_SECOND = 253_402_300_799n;

/** Epoch and unix time of the clock sysvar; null for an account that is none, or a time that cannot be. */
export function clockOf(
  raw: RawAccount | null | undefined,
): { readonly epoch: bigint; readonly seconds: bigint } | null {
  const account = readAccount(raw);
  if (account === null || account.owner !== SYSVARS || account.data.byteLength !== CLOCK_BYTES) return null;
  const { buffer, byteOffset, byteLength } = account.data;
  const view = new DataView(buffer, byteOffset, byteLength);
  const seconds = view.getBigInt64(TIME_AT, true);
  return seconds > 0n && seconds <= LAST_SECOND ? { epoch: view.getBigUint64(EPOCH_AT, true), seconds } : null;
}
