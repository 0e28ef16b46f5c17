import {
  assetId,
  type ChainFault,
  decodeMint,
  decodeTokenAccount,
  fault,
  solana,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { callRpc, isRecord, malformedReply, type RpcNode, requestNodes } from '../json-rpc.ts';
import type { SolanaReader } from '../solana/reader.ts';
import { accountOf, contextOf } from '../solana/reader.ts';
import { type Holding, MOST_TOKENS, type ReadHoldings, wholeOf } from './holdings.ts';

const LAMPORTS = 9;

/**
 * Lists an owner's token accounts of both token programs and its lamports, then reads the mints for their decimals. The
 * list is complete, since the node reads all accounts. Tokens in accounts of other programs (stakes, pools, escrows) do
 * not belong to the owner on chain, and are not listed.
 */
export function solanaHoldings(
  upstream: Upstream,
  nodes: readonly RpcNode[],
  reader: Pick<SolanaReader, 'accounts'>,
): ReadHoldings {
  const call = (method: string, params: readonly unknown[], signal: AbortSignal) =>
    requestNodes(nodes, (node) => callRpc(upstream, node, method, params, signal));

  async function tokensOf(
    owner: string,
    programId: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly slot: number; readonly units: ReadonlyMap<string, bigint> }, ChainFault>> {
    const options = { encoding: 'base64', commitment: 'confirmed' };
    const reply = await call('getTokenAccountsByOwner', [owner, { programId }, options], signal);
    if (!reply.ok) return reply;
    const context = contextOf(reply.value);
    if (context === null || !Array.isArray(context.value)) return malformedReply('getTokenAccountsByOwner');
    const units = new Map<string, bigint>();
    const seen = new Set<string>();
    for (const row of context.value) {
      const [address, raw] = isRecord(row) ? [row.pubkey, row.account] : [];
      const account = typeof address === 'string' ? accountOf(address, raw) : undefined;
      const token = account === undefined ? null : decodeTokenAccount(account.owner, account.data);
      if (account === undefined || token === null || token.owner !== owner || account.owner !== programId)
        return malformedReply('token accounts of the owner');
      if (seen.has(account.address)) return fault('malformed', 'the node gave a token account twice');
      seen.add(account.address);
      if (token.amount > 0n) units.set(token.mint, (units.get(token.mint) ?? 0n) + token.amount);
    }
    return ok({ slot: context.slot, units });
  }

  return async (owner, known, signal) => {
    const balance = await call('getBalance', [owner, { commitment: 'confirmed' }], signal);
    if (!balance.ok) return balance;
    const context = contextOf(balance.value);
    const value = context?.value;
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (context === null || !isWhole || value < 0) return malformedReply('getBalance');
    const lamports = BigInt(value);
    const units = new Map<string, bigint>();
    let height = context.slot;
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      const tokens = await tokensOf(owner, program, signal);
      if (!tokens.ok) return tokens;
      for (const [mint, amount] of tokens.value.units) units.set(mint, amount);
      height = Math.min(height, tokens.value.slot);
    }
    const first = known.filter((mint) => units.has(mint));
    const mints = [...new Set([...first, ...units.keys()])].slice(0, MOST_TOKENS);
    const read = await reader.accounts(mints, signal);
    if (!read.ok) return read;
    const tokens = mints.map((mint, index): Holding => {
      const account = read.value.accounts[index] ?? null;
      const facts = account === null ? null : decodeMint(account.owner, account.data);
      const amount = units.get(mint) ?? 0n;
      const isSound = facts !== null && amount <= facts.supply;
      return { assetId: assetId(solana, mint), quantity: isSound ? wholeOf(amount, facts.decimals) : null };
    });
    const coin = lamports > 0n ? [{ assetId: assetId(solana, 'native'), quantity: wholeOf(lamports, LAMPORTS) }] : [];
    const isCut = mints.length < units.size;
    return ok({
      height,
      held: [...coin, ...tokens],
      complete: !isCut,
      gaps: isCut ? ['cut'] : [],
      looked: units.size,
    });
  };
}
