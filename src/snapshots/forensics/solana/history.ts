import type { ChainFault } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { askNodes, callRpc, isRecord, type RpcNode } from '../../json-rpc.ts';
import { timeOf } from '../time.ts';
import type { ChainTransaction } from '../types.ts';
import { readTransaction } from './transaction.ts';

export interface SignatureRow {
  readonly signature: string;
  readonly slot: number;
  /** RFC 3339; null where the node does not tell. */
  readonly at: string | null;
  readonly failed: boolean;
}

/** What one Solana node keeps of the past. */
export interface SolanaHistory {
  /** Transactions that name an address, newest first, at most 1,000: older than `before`, newer than `until`. */
  signatures(
    address: string,
    range: { readonly before?: string; readonly until?: string },
    signal?: AbortSignal,
  ): Promise<Result<readonly SignatureRow[], ChainFault>>;
  /** `null`: the node does not keep it, or it failed and changed nothing. */
  transaction(signature: string, signal?: AbortSignal): Promise<Result<ChainTransaction | null, ChainFault>>;
}

/** Most that getSignaturesForAddress gives at once. */
export const SIGNATURES_PER_PAGE = 1_000;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,90}$/;

/** Reads history from the first node that answers. Transactions are kept: several questions lead to the same one. */
export function createSolanaHistory(upstream: Upstream, nodes: readonly RpcNode[]): SolanaHistory {
  const known = new Map<string, ChainTransaction | null>();
  const call = (method: string, params: readonly unknown[], signal?: AbortSignal) =>
    askNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));
  return {
    async signatures(address, range, signal) {
      const options = { ...range, limit: SIGNATURES_PER_PAGE, commitment: 'confirmed' };
      const reply = await call('getSignaturesForAddress', [address, options], signal);
      if (!reply.ok) return reply;
      if (!Array.isArray(reply.value) || reply.value.length > SIGNATURES_PER_PAGE) return malformed('signatures');
      const rows: SignatureRow[] = [];
      for (const raw of reply.value) {
        const row = isRecord(raw) ? rowOf(raw) : null;
        const last = rows.at(-1);
        if (row === null || (last !== undefined && row.slot > last.slot)) return malformed('signatures, newest first');
        rows.push(row);
      }
      return { ok: true, value: rows };
    },
    async transaction(signature, signal) {
      const kept = known.get(signature);
      if (kept !== undefined) return { ok: true, value: kept };
      const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const reply = await call('getTransaction', [signature, options], signal);
      if (!reply.ok) return reply;
      const read = reply.value === null ? 'failed' : readTransaction(reply.value, signature);
      if (read === null) return malformed('this transaction');
      const value = read === 'failed' ? null : read;
      known.set(signature, value);
      return { ok: true, value };
    },
  };
}

function rowOf(raw: Readonly<Record<string, unknown>>): SignatureRow | null {
  const { signature, slot, blockTime, err } = raw;
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return null;
  if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot < 0) return null;
  return { signature, slot, at: timeOf(blockTime), failed: err !== null && err !== undefined };
}

function malformed(what: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: `the node's reply does not look like ${what}` };
}
