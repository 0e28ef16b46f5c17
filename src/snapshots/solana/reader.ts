import {
  type Accounts,
  addressBytes,
  type ChainFault,
  fault,
  type OpenedPool,
  openPool,
  type PoolReading,
  type SolanaAccount,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { callRpc, isRecord, malformedReply, type RpcNode, requestNodes } from '../json-rpc.ts';

/** Most keys of one getMultipleAccounts call. */
const KEYS_PER_CALL = 100;

/** Reads accounts from the first node that responds, the others in turn when it does not. */
export function createSolanaReader(upstream: Upstream, nodes: readonly RpcNode[]): SolanaReader {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    requestNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));

  return {
    async accounts(addresses, signal) {
      const found: (SolanaAccount | null)[] = [];
      let slot = Number.POSITIVE_INFINITY;
      for (let from = 0; from < addresses.length; from += KEYS_PER_CALL) {
        const keys = addresses.slice(from, from + KEYS_PER_CALL);
        const reply = await call(
          'getMultipleAccounts',
          [keys, { encoding: 'base64', commitment: 'confirmed' }],
          signal,
        );
        if (!reply.ok) return reply;
        const context = contextOf(reply.value);
        if (context === null || !Array.isArray(context.value) || context.value.length !== keys.length)
          return malformedReply('getMultipleAccounts');
        slot = Math.min(slot, context.slot);
        for (const [index, raw] of context.value.entries()) {
          const account = raw === null ? null : accountOf(keys[index] ?? '', raw);
          if (account === undefined) return malformedReply('an account');
          found.push(account);
        }
      }
      return ok({ slot: Number.isFinite(slot) ? slot : 0, accounts: found });
    },
    async largest(mint, signal) {
      const reply = await call('getTokenLargestAccounts', [mint, { commitment: 'confirmed' }], signal);
      if (!reply.ok) return reply;
      const context = contextOf(reply.value);
      if (context === null || !Array.isArray(context.value)) return malformedReply('getTokenLargestAccounts');
      const accounts: { readonly address: string; readonly amount: bigint }[] = [];
      for (const row of context.value.slice(0, 20)) {
        const amount = isRecord(row) ? u64Of(row.amount) : null;
        const address = isRecord(row) ? row.address : null;
        if (amount === null || typeof address !== 'string' || addressBytes(address) === null)
          return malformedReply('getTokenLargestAccounts');
        accounts.push({ address, amount });
      }
      return ok({ slot: context.slot, accounts });
    },
  };
}

/** The slot and value of a reply with a context; null for other replies. */
export function contextOf(result: unknown): { readonly slot: number; readonly value: unknown } | null {
  if (!isRecord(result) || !isRecord(result.context)) return null;
  const { slot } = result.context;
  return typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0 ? { slot, value: result.value } : null;
}

/** An account from a node's reply (base64); undefined for another format. */
export function accountOf(address: string, raw: unknown): SolanaAccount | undefined {
  if (!isRecord(raw) || addressBytes(address) === null) return undefined;
  const { owner, data, lamports } = raw;
  if (typeof owner !== 'string' || addressBytes(owner) === null) return undefined;
  if (!Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') return undefined;
  const isWhole = typeof lamports === 'bigint' || Number.isSafeInteger(lamports);
  if (lamports !== undefined && !isWhole) return undefined;
  const balance = BigInt((lamports ?? 0) as bigint | number);
  if (balance < 0n) return undefined;
  return { address, owner, lamports: balance, data: Uint8Array.from(Buffer.from(data[0], 'base64')) };
}

function u64Of(text: unknown): bigint | null {
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return null;
  const value = BigInt(text);
  return value >> 64n === 0n ? value : null;
}

/** Reads of one Solana RPC. No failure of a host throws. */
export interface SolanaReader {
  /**
   * Any number of addresses (requested 100 at a time); a missing account is null. `slot` is the oldest of the replies.
   */
  accounts(
    addresses: readonly string[],
    signal?: AbortSignal,
  ): Promise<Result<{ readonly slot: number; readonly accounts: readonly (SolanaAccount | null)[] }, ChainFault>>;
  /** The twenty largest token accounts, without their owners. */
  largest(
    mint: string,
    signal?: AbortSignal,
  ): Promise<
    Result<
      { readonly slot: number; readonly accounts: readonly { readonly address: string; readonly amount: bigint }[] },
      ChainFault
    >
  >;
}

export interface ReadPools {
  readonly readings: readonly PoolReading[];
  /** Pools that could not be read, with the reason. */
  readonly failures: readonly { readonly address: string; readonly fault: ChainFault }[];
}

/**
 * Most accounts of one getMultipleAccounts call: a pool and all accounts that it needs are read in one such call, at
 * one slot.
 */
const ACCOUNTS_PER_CALL = 100;
/** About a minute: a pool whose accounts are further apart has a note. */
const SLOTS_APART = 150;

/**
 * Reads pools: first their own accounts, which name the accounts that each needs, then each pool again together with
 * these, so that reserves, ticks and price are of one slot. `mints` are candidates for curves that do not name theirs
 * (the asset). A call that fails as a whole is a fault; a single pool that cannot be read is among the failures.
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
  // Behind a load balancer a call may reach a lagging node, whose state is older than the one that named the accounts.
  if (reply.ok && reply.value.slot < notBefore) reply = await reader.accounts(addresses, signal);
  if (!reply.ok) return reply;
  const { slot } = reply.value;
  if (slot < notBefore) return fault('malformed', `the reply went back from slot ${notBefore} to ${slot}`);
  if (reply.value.accounts.length !== addresses.length) return fault('malformed', 'not as many accounts as asked for');
  const accounts: Accounts = new Map(addresses.map((address, index) => [address, reply.value.accounts[index] ?? null]));
  const readings: PoolReading[] = [];
  const failures: { address: string; fault: ChainFault }[] = [];
  for (const { address } of group) {
    // Decoded again, since the first state of the pool may be older than the vaults.
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
