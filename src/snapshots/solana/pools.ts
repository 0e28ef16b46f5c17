import type { ChainFault, PoolReading, SolanaAccount } from '../../chains/index.ts';
import { type Accounts, fault, type OpenedPool, openPool } from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { SolanaReader } from './reader.ts';

export interface ReadPools {
  readonly readings: readonly PoolReading[];
  /** Pools that could not be read, with why. */
  readonly failures: readonly { readonly address: string; readonly fault: ChainFault }[];
}

/** Most accounts of one getMultipleAccounts call: a pool and all it needs are read in one such call, of one slot. */
const ACCOUNTS_PER_CALL = 100;
/** About a minute: a pool read further apart carries a note. */
const SLOTS_APART = 150;

/**
 * Reads pools: first their own accounts, which state what else each needs, then each pool again together with its needs, so
 * that reserves, ticks and price are of one slot. `mints` are candidates for curves that do not name theirs (the asset).
 * A whole call that fails is a fault; one pool that cannot be read is among the failures.
 */
export async function readPools(
  reader: Pick<SolanaReader, 'accounts'>,
  addresses: readonly string[],
  mints: readonly string[] = [],
  signal?: AbortSignal,
): Promise<Result<ReadPools, ChainFault>> {
  const wanted = [...new Set(addresses)];
  if (wanted.length === 0) return ok({ readings: [], failures: [] });
  const first = await reader.accounts(wanted, signal);
  if (!first.ok) return first;
  const failures: { address: string; fault: ChainFault }[] = [];
  const opened: OpenedPool[] = [];
  for (const [index, address] of wanted.entries()) {
    const pool = openAt(first.value.accounts[index] ?? null, mints);
    if (pool.ok) opened.push(pool.value);
    else failures.push({ address, fault: { reason: pool.reason, detail: pool.detail } });
  }
  const readings: PoolReading[] = [];
  for (const group of grouped(opened)) {
    const read = await readGroup(reader, group, mints, first.value.slot, signal);
    if (!read.ok) return read;
    readings.push(...read.value.readings);
    failures.push(...read.value.failures);
  }
  return ok({ readings: withDistance(readings), failures });
}

async function readGroup(
  reader: Pick<SolanaReader, 'accounts'>,
  group: readonly OpenedPool[],
  mints: readonly string[],
  notBefore: number,
  signal?: AbortSignal,
): Promise<Result<ReadPools, ChainFault>> {
  const addresses = [...new Set(group.flatMap((pool) => [pool.address, ...pool.needs]))];
  let reply = await reader.accounts(addresses, signal);
  // Behind a load balancer a call may meet a node that lags: its state is older than what the needs came from.
  if (reply.ok && reply.value.slot < notBefore) reply = await reader.accounts(addresses, signal);
  if (!reply.ok) return reply;
  const { slot } = reply.value;
  if (slot < notBefore) return fault('malformed', `the reply went back from slot ${notBefore} to ${slot}`);
  if (reply.value.accounts.length !== addresses.length) return fault('malformed', 'not as many accounts as asked for');
  const accounts: Accounts = new Map(addresses.map((address, index) => [address, reply.value.accounts[index] ?? null]));
  const readings: PoolReading[] = [];
  const failures: { address: string; fault: ChainFault }[] = [];
  for (const { address } of group) {
    // Opened anew: what was decoded first may be older than the vaults.
    const fresh = openAt(accounts.get(address) ?? null, mints);
    const reading = fresh.ok ? fresh.value.read(accounts, slot) : fresh;
    if (reading.ok) readings.push(reading.value);
    else failures.push({ address, fault: { reason: reading.reason, detail: reading.detail } });
  }
  return ok({ readings, failures });
}

function openAt(account: SolanaAccount | null, mints: readonly string[]): Result<OpenedPool, ChainFault> {
  return account === null ? fault('not_found', 'no such account') : openPool(account, mints);
}

/** Pools packed so that each group fits into one call. */
function grouped(pools: readonly OpenedPool[]): readonly (readonly OpenedPool[])[] {
  const groups: OpenedPool[][] = [];
  let size = ACCOUNTS_PER_CALL;
  for (const pool of pools) {
    const needed = 1 + pool.needs.length;
    if (size + needed > ACCOUNTS_PER_CALL) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(pool);
    size += needed;
  }
  return groups;
}

function withDistance(readings: readonly PoolReading[]): readonly PoolReading[] {
  const newest = Math.max(...readings.map((reading) => reading.height));
  return readings.map((reading) =>
    newest - reading.height <= SLOTS_APART
      ? reading
      : { ...reading, notes: [...reading.notes, `read ${newest - reading.height} slots before the newest pool`] },
  );
}
