import { CLOCK_LENGTH, decodeClock } from '../../chains/index.ts';
import { type RawAccount, readAccount } from './accounts.ts';

const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
/** A time beyond the year 9999 is none. */
const LAST_SECOND = 253_402_300_799n;

/** Epoch and unix time of the clock sysvar; null for an account that is none, or a time that cannot be. */
export function clockOf(
  raw: RawAccount | null | undefined,
): { readonly epoch: bigint; readonly seconds: bigint } | null {
  const account = readAccount(raw);
  if (account === null || account.owner !== SYSVARS || account.data.byteLength !== CLOCK_LENGTH) return null;
  const clock = decodeClock(account.data);
  return clock !== null && clock.seconds > 0n && clock.seconds <= LAST_SECOND ? clock : null;
}
