import Type from 'typebox';
import { fromBase64, u64 } from '../../chains/index.ts';
import type { Json } from '../../domain/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { fieldsOf, readRaw, tokensOf } from '../read.ts';
import { atFirst } from './accounts.ts';

const JUPITER_LOCK = 'LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn';
/** Discriminator of `VestingEscrow` (f477b704497487c3), its size, and where the mint is. */
const ESCROW = { discriminator: 'hteFiUjrzUz', bytes: 296, mintAt: 40 } as const;
/** Cliff time, frequency, cliff amount, amount per period, periods, claimed, start, cancelled: eight numbers of eight bytes. */
const SCHEDULE = { offset: 144, length: 64 } as const;
const AHEAD_SECONDS = 30n * 86_400n;
const MOST_LOCKS = 5_000;
/** Later than any time of a schedule can be reached, seconds. */
const END = 2n ** 128n;

/** Params `{base, mint, supply, decimals}`: tokens that Jupiter Lock releases within thirty days, and those that it has not released yet. Other lockers are not read. */
export const locksEndpoint = rpcEndpoint({
  name: 'locks',
  doc: 'getProgramAccounts of Jupiter Lock, escrows of the mint: schedule of each. Layout and arithmetic: jup-ag/jup-lock, state/vesting_escrow.rs.',
  plan: (facts) => {
    const { supply, decimals } = fieldsOf(facts.learned['solana_rpc.mint']);
    return atFirst(facts, typeof supply === 'string' && typeof decimals === 'number' ? { supply, decimals } : null);
  },
  call: ({ mint = null }) => {
    const filters: Json = [
      { dataSize: ESCROW.bytes },
      { memcmp: { offset: 0, bytes: ESCROW.discriminator } },
      { memcmp: { offset: ESCROW.mintAt, bytes: mint } },
    ];
    const options = { encoding: 'base64', commitment: 'confirmed', dataSlice: SCHEDULE, filters };
    return ['getProgramAccounts', [JUPITER_LOCK, options]];
  },
  result: Type.Array(
    Type.Object({ account: Type.Object({ data: Type.Tuple([Type.String(), Type.Literal('base64')]) }) }),
    { maxItems: MOST_LOCKS },
  ),
  read: (rows) => (rows.length === 0 ? new Refusal('empty') : rows),
  observe: (rows, params, meta) => {
    const now = BigInt(Math.floor(Date.parse(meta.fetchedAt) / 1_000));
    const schedules = rows.map((row) => fromBase64(row.account.data[0]));
    const sumOf = (tokensIn: (schedule: Uint8Array | null) => bigint) =>
      schedules.reduce((sum, schedule) => sum + tokensIn(schedule), 0n);
    const supply = readRaw(params.supply) ?? 0n;
    const tokens = (raw: bigint) => (raw > supply ? null : tokensOf(raw, Number(params.decimals)) || null);
    const meaning = 'locks of Jupiter Lock; a lower bound';
    return [
      ...observed('unlock_30d_tokens', tokens(sumOf((one) => releasedBetween(one, now, now + AHEAD_SECONDS))), meaning),
      ...observed('locked_tokens', tokens(sumOf((one) => releasedBetween(one, now, END))), meaning),
    ];
  },
});

/** Raw tokens that one lock releases after `from` and up to `to` (seconds); 0 for a cancelled or unreadable lock. */
export function releasedBetween(schedule: Uint8Array | null, from: bigint, to: bigint): bigint {
  if (schedule === null || schedule.byteLength !== SCHEDULE.length || u64(schedule, 56) > 0n) return 0n;
  return releasedBy(schedule, to) - releasedBy(schedule, from);
}

function releasedBy(schedule: Uint8Array, at: bigint): bigint {
  const [cliff, frequency, cliffAmount] = [u64(schedule, 0), u64(schedule, 8), u64(schedule, 16)];
  if (at < cliff) return 0n;
  if (frequency === 0n) return cliffAmount;
  const [perPeriod, periods] = [u64(schedule, 24), u64(schedule, 32)];
  const passed = (at - cliff) / frequency;
  if (passed >= periods) return cliffAmount + perPeriod * periods;
  return cliffAmount + perPeriod * passed;
}
