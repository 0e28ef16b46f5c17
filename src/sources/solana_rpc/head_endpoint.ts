import { classifyRpc, rpcCall } from '../json_rpc.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { ONE_ACCOUNT, type RawAccount, readAccount } from './accounts.ts';
import { fromOperator, type Operators } from './mint_endpoints.ts';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
/** Slot, start of the epoch, epoch, epoch of the leader schedule, and the time: five numbers of eight bytes. */
const CLOCK_BYTES = 40;
const TIME_AT = 32;
/** A time beyond the year 9999 is none. */
const LAST_SECOND = 253_402_300_799n;

/** Params `{base}`: the time of the newest slot. A chain that stands still shows by its age. */
export function headEndpoint(operators: Operators): Endpoint {
  return endpoint({
    name: 'head',
    doc: 'getAccountInfo of the Clock sysvar: unix_timestamp of the newest slot (https://docs.rs/solana-clock); checked on a real runtime.',
    role: 'observe',
    critical: false,
    plan: ({ chain }) => (chain?.kind === 'solana' ? operators.bases.map((base) => ({ base })) : []),
    request: (params) =>
      rpcCall(String(params.base), 'getAccountInfo', [CLOCK, { encoding: 'base64', commitment: 'confirmed' }]),
    reply: ONE_ACCOUNT,
    classify: (reply) => {
      const verdict = classifyRpc(reply);
      return verdict.outcome === 'ok' && timeOf(reply.result?.value) === null
        ? { outcome: 'empty' as const, detail: 'the node gives no clock' }
        : verdict;
    },
    observe: (reply, params) => {
      const value = timeOf(reply.result?.value);
      return value === null
        ? []
        : fromOperator(operators, params, [{ quantity: 'chain_head_at', value, meaning: 'clock of the newest slot' }]);
    },
  });
}

function timeOf(raw: RawAccount | null | undefined): string | null {
  const account = readAccount(raw);
  if (account === null || account.owner !== SYSVARS || account.data.byteLength !== CLOCK_BYTES) return null;
  const { buffer, byteOffset, byteLength } = account.data;
  const seconds = new DataView(buffer, byteOffset, byteLength).getBigInt64(TIME_AT, true);
  return seconds > 0n && seconds <= LAST_SECOND ? new Date(Number(seconds) * 1000).toISOString() : null;
}
