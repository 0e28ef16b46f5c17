import { i64, u64 } from '../codecs/account-data.ts';

/** Slot, start of the epoch, epoch, epoch of the leader schedule, and the time: five numbers of eight bytes. */
export const CLOCK_LENGTH = 40;

/** The clock sysvar: slot, epoch and Unix time; null when it is too short. */
export function decodeClock(
  data: Uint8Array,
): { readonly slot: bigint; readonly epoch: bigint; readonly seconds: bigint } | null {
  return data.length >= CLOCK_LENGTH ? { slot: u64(data, 0), epoch: u64(data, 16), seconds: i64(data, 32) } : null;
}
