import type { ChainFault } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { DAY_MS } from '../../../domain/index.ts';
import type { ChainTransaction, Funding } from '../types.ts';
import { SIGNATURES_PER_PAGE, type SolanaHistory } from './history.ts';
import { listSignatures } from './pages.ts';

/** The first transactions may only name a wallet (tokens sent to everybody); so many are looked at. */
const FIRST_LOOKED_AT = 4;
/** A wallet with a full page of transactions within so long is no person's. */
const BUSY_WITHIN_MS = 14 * DAY_MS;

/**
 * Who first paid a wallet; null when its first transactions show nobody. `too_large` for a wallet of more pages of
 * transactions than are asked for.
 */
export async function firstFunding(
  history: SolanaHistory,
  wallet: string,
  mostPages: number,
  signal?: AbortSignal,
): Promise<Result<Funding | null, ChainFault>> {
  const listed = await listSignatures(history, wallet, { mostPages }, signal);
  if (!listed.ok) return listed;
  if (!listed.value.complete)
    return { ok: false, reason: 'too_large', detail: `more than ${listed.value.rows.length} transactions` };
  for (const row of listed.value.rows.slice(-FIRST_LOOKED_AT).toReversed()) {
    const read = await history.transaction(row.signature, signal);
    if (!read.ok) return read;
    const funding = read.value === null ? null : fundingIn(read.value, wallet);
    if (funding !== null) return { ok: true, value: funding };
  }
  return { ok: true, value: null };
}

/** The payment that a transaction makes to an empty wallet: from the signer who lost most. Null when there is none. Pure. */
export function fundingIn(transaction: ChainTransaction, wallet: string): Funding | null {
  const coins = transaction.changes.filter((change) => change.asset === 'native');
  const got = coins.find((change) => change.account === wallet);
  if (got === undefined || got.amount <= 0n || (got.before !== null && got.before !== 0n)) return null;
  const payers = coins
    .filter(({ owner, amount }) => owner !== wallet && amount < 0n && transaction.signers.includes(owner))
    .sort((a, b) => (a.amount < b.amount ? -1 : 1));
  const [payer] = payers;
  if (payer === undefined || -payer.amount < got.amount) return null;
  return { wallet, funder: payer.owner, transaction: transaction.id, at: transaction.at, amount: got.amount };
}

/** True for a wallet that has a full page of transactions in a few days: an exchange, a bot, a relayer. */
export async function isBusy(
  history: SolanaHistory,
  wallet: string,
  signal?: AbortSignal,
): Promise<Result<boolean, ChainFault>> {
  const reply = await history.signatures(wallet, {}, signal);
  if (!reply.ok) return reply;
  const [newest, oldest] = [reply.value[0], reply.value.at(-1)];
  if (reply.value.length < SIGNATURES_PER_PAGE || newest === undefined || oldest === undefined)
    return { ok: true, value: false };
  const span = Date.parse(newest.at ?? '') - Date.parse(oldest.at ?? '');
  return { ok: true, value: span < BUSY_WITHIN_MS };
}
