import { addressBytes, type ChainFault, type SolanaAccount } from '../../chains/index.ts';
import type { Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { askNodes, callRpc, isRecord, malformedReply, type RpcNode } from '../json-rpc.ts';

/** Keys one getMultipleAccounts call may name. */
const KEYS_PER_CALL = 100;

/** Reads accounts from the first node that answers, the others in turn when it does not. */
export function createSolanaReader(upstream: Upstream, nodes: readonly RpcNode[]): SolanaReader {
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    askNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));

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
      return { ok: true, value: { slot: Number.isFinite(slot) ? slot : 0, accounts: found } };
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
      return { ok: true, value: { slot: context.slot, accounts } };
    },
  };
}

function contextOf(result: unknown): { readonly slot: number; readonly value: unknown } | null {
  if (!isRecord(result) || !isRecord(result.context)) return null;
  const { slot } = result.context;
  return typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0 ? { slot, value: result.value } : null;
}

function accountOf(address: string, raw: unknown): SolanaAccount | undefined {
  if (!isRecord(raw) || addressBytes(address) === null) return undefined;
  const { owner, data, lamports } = raw;
  if (typeof owner !== 'string' || addressBytes(owner) === null) return undefined;
  if (!Array.isArray(data) || typeof data[0] !== 'string' || data[1] !== 'base64') return undefined;
  const balance = typeof lamports === 'bigint' || typeof lamports === 'number' ? BigInt(lamports) : 0n;
  return { address, owner, lamports: balance, data: Uint8Array.from(Buffer.from(data[0], 'base64')) };
}

function u64Of(text: unknown): bigint | null {
  if (typeof text !== 'string' || !/^\d{1,20}$/.test(text)) return null;
  const value = BigInt(text);
  return value >> 64n === 0n ? value : null;
}

/** Reads of one Solana RPC. Nothing throws for what a host can do. */
export interface SolanaReader {
  /** Any number of addresses (requested 100 at a time); a missing account is null. `slot` is the oldest of the replies. */
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
