import type { ChainFault } from '../../../chains/index.ts';
import { ok, type Result } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { callRpc, isRecord, malformedReply, type RpcNode, requestNodes } from '../../json-rpc.ts';
import { type BalanceChange, type ChainTransaction, timeOf } from '../types.ts';

export interface SignatureRow {
  readonly signature: string;
  readonly slot: number;
  /** RFC 3339; null when the node does not state it. */
  readonly at: string | null;
  readonly failed: boolean;
}

/** Historical data of Solana nodes. */
export interface SolanaHistory {
  /** Transactions that name an address, newest first, at most 1,000: older than `before`, newer than `until`. */
  signatures(
    address: string,
    range: { readonly before?: string; readonly until?: string },
    signal?: AbortSignal,
  ): Promise<Result<readonly SignatureRow[], ChainFault>>;
  /** `null`: the node does not keep it, or it failed and changed nothing. */
  transaction(signature: string, signal?: AbortSignal): Promise<Result<ChainTransaction | null, ChainFault>>;
  /** Position of each transaction of a slot in its block, from 0; by signature. */
  placesIn(slot: number, signal?: AbortSignal): Promise<Result<ReadonlyMap<string, number>, ChainFault>>;
}

/** Most that getSignaturesForAddress gives at once. */
export const SIGNATURES_PER_PAGE = 1_000;
/** A block holds a few thousand. */
const MOST_IN_BLOCK = 100_000;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;

/**
 * Reads history from the first node that responds. Transactions are cached, since several searches lead to the same
 * ones.
 */
export function createSolanaHistory(upstream: Upstream, nodes: readonly RpcNode[]): SolanaHistory {
  const known = new Map<string, ChainTransaction | null>();
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    requestNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));
  return {
    async signatures(address, range, signal) {
      const options = { ...range, limit: SIGNATURES_PER_PAGE, commitment: 'confirmed' };
      const reply = await call('getSignaturesForAddress', [address, options], signal);
      if (!reply.ok) return reply;
      if (!Array.isArray(reply.value) || reply.value.length > SIGNATURES_PER_PAGE) return malformedReply('signatures');
      const rows: SignatureRow[] = [];
      for (const raw of reply.value) {
        const row = isRecord(raw) ? rowOf(raw) : null;
        const last = rows.at(-1);
        if (row === null || (last !== undefined && row.slot > last.slot))
          return malformedReply('signatures, newest first');
        rows.push(row);
      }
      return ok(rows);
    },
    async transaction(signature, signal) {
      const kept = known.get(signature);
      if (kept !== undefined) return ok(kept);
      const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const reply = await call('getTransaction', [signature, options], signal);
      if (!reply.ok) return reply;
      const read = reply.value === null ? 'failed' : readTransaction(reply.value, signature);
      if (read === null) return malformedReply('this transaction');
      const value = read === 'failed' ? null : read;
      known.set(signature, value);
      return ok(value);
    },
    async placesIn(slot, signal) {
      const options = {
        encoding: 'json',
        transactionDetails: 'signatures',
        rewards: false,
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      };
      const reply = await call('getBlock', [slot, options], signal);
      if (!reply.ok) return reply;
      const signatures = isRecord(reply.value) ? reply.value.signatures : null;
      if (!Array.isArray(signatures) || signatures.length > MOST_IN_BLOCK) return malformedReply('a block');
      if (!signatures.every((row) => typeof row === 'string' && SIGNATURE.test(row))) return malformedReply('a block');
      return ok(new Map(signatures.map((row: string, place) => [row, place])));
    },
  };
}

function rowOf(raw: Readonly<Record<string, unknown>>): SignatureRow | null {
  const { signature, slot, blockTime, err } = raw;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return null;
  if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot < 0) return null;
  return { signature, slot, at: timeOf(blockTime), failed: err !== null && err !== undefined };
}

export interface Listed {
  /** Newest first, without failed transactions, which moved nothing. */
  readonly rows: readonly SignatureRow[];
  /** False when there are older ones that were not listed. */
  readonly complete: boolean;
}

/** The transactions that name an address, back to `until` or the first, at most `mostPages` pages of 1,000. */
export async function listSignatures(
  history: SolanaHistory,
  address: string,
  { until, mostPages }: { readonly until?: string; readonly mostPages: number },
  signal?: AbortSignal,
): Promise<Result<Listed, ChainFault>> {
  const rows: SignatureRow[] = [];
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const range = { ...(before === undefined ? {} : { before }), ...(until === undefined ? {} : { until }) };
    const reply = await history.signatures(address, range, signal);
    // A partial list is useful.
    if (!reply.ok) return rows.length === 0 ? reply : ok({ rows, complete: false });
    rows.push(...reply.value.filter((row) => !row.failed));
    before = reply.value.at(-1)?.signature;
    if (reply.value.length < SIGNATURES_PER_PAGE) return ok({ rows, complete: true });
  }
  return ok({ rows, complete: false });
}

/** Most accounts of a transaction (64 of its own by size, 256 with look-up tables). */
const MOST_ACCOUNTS = 256;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * Balance changes of a transaction, from a `jsonParsed` reply of getTransaction
 * (solana.com/docs/rpc/http/gettransaction; balances: solana.com/docs/rpc/json-structures): token accounts by their
 * balances before and after, other accounts by their lamports. `failed` if it had no effect; null if the reply is
 * malformed or of another transaction. Pure.
 */
export function readTransaction(raw: unknown, signature: string): ChainTransaction | 'failed' | null {
  if (!isRecord(raw) || !isRecord(raw.meta) || !isRecord(raw.transaction)) return null;
  const { slot, blockTime, meta, transaction } = raw;
  if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot < 0) return null;
  const { signatures, message } = transaction;
  if (!Array.isArray(signatures) || signatures[0] !== signature || !isRecord(message)) return null;
  if (meta.err !== null && meta.err !== undefined) return 'failed';
  const keys = keysOf(message.accountKeys);
  if (keys === null) return null;
  const tokens = tokenChanges(keys, meta.preTokenBalances, meta.postTokenBalances);
  const coins = coinChanges(keys, meta.preBalances, meta.postBalances, new Set(tokens?.map((row) => row.account)));
  if (tokens === null || coins === null) return null;
  return {
    id: signature,
    height: slot,
    at: timeOf(blockTime),
    signers: keys.filter((key) => key.isSigner).map((key) => key.address),
    changes: [...tokens, ...coins],
  };
}

interface Key {
  readonly address: string;
  readonly isSigner: boolean;
}

function keysOf(given: unknown): readonly Key[] | null {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_ACCOUNTS) return null;
  const keys: Key[] = [];
  for (const row of given) {
    if (!isRecord(row) || typeof row.pubkey !== 'string' || !ADDRESS.test(row.pubkey)) return null;
    keys.push({ address: row.pubkey, isSigner: row.signer === true });
  }
  return keys;
}

/** An account without a balance on one side did not exist then, and held nothing. */
function tokenChanges(keys: readonly Key[], before: unknown, after: unknown): readonly BalanceChange[] | null {
  const [first, last] = [tokenBalances(keys, before), tokenBalances(keys, after)];
  if (first === null || last === null) return null;
  return [...new Set([...first.keys(), ...last.keys()])].flatMap((account): readonly BalanceChange[] => {
    const [old, young] = [first.get(account), last.get(account)];
    const row = young ?? old;
    if (row === undefined) return [];
    const held = old?.amount ?? 0n;
    return [{ account, owner: row.owner, asset: row.mint, before: held, amount: (young?.amount ?? 0n) - held }];
  });
}

function tokenBalances(keys: readonly Key[], given: unknown) {
  if (given === null || given === undefined) return new Map<string, never>();
  if (!Array.isArray(given) || given.length > MOST_ACCOUNTS) return null;
  const balances = new Map<string, { readonly owner: string; readonly mint: string; readonly amount: bigint }>();
  for (const row of given) {
    if (!isRecord(row) || !isRecord(row.uiTokenAmount)) return null;
    const key = typeof row.accountIndex === 'number' ? keys[row.accountIndex] : undefined;
    const { amount } = row.uiTokenAmount;
    if (key === undefined || typeof amount !== 'string' || !/^\d{1,20}$/.test(amount)) return null;
    if (typeof row.mint !== 'string' || !ADDRESS.test(row.mint)) return null;
    // Replies about old transactions leave the owner out.
    const owner = typeof row.owner === 'string' && ADDRESS.test(row.owner) ? row.owner : key.address;
    balances.set(key.address, { owner, mint: row.mint, amount: BigInt(amount) });
  }
  return balances;
}

/** Leaves out the lamports of token accounts, which are their rent, or coins that are counted as tokens already. */
function coinChanges(
  keys: readonly Key[],
  before: unknown,
  after: unknown,
  tokenAccounts: ReadonlySet<string>,
): readonly BalanceChange[] | null {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  if (before.length !== keys.length || after.length !== keys.length) return null;
  const changes: BalanceChange[] = [];
  for (const [index, { address }] of keys.entries()) {
    const [held, holds] = [lamportsOf(before[index]), lamportsOf(after[index])];
    if (held === null || holds === null) return null;
    if (held === holds || tokenAccounts.has(address)) continue;
    changes.push({ account: address, owner: address, asset: 'native', before: held, amount: holds - held });
  }
  return changes;
}

function lamportsOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value >= 0n && value >> 64n === 0n ? value : null;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
}
