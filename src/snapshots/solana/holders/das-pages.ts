import type { ChainFault } from '../../../chains/index.ts';
import { addressBytes } from '../../../chains/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { callRpc, isRecord, type RpcNode } from '../../json-rpc.ts';
import { ACCOUNT_WORDS, type OwnerSums } from './owner-sums.ts';

const PAGE = 1_000;
const MOST_PAGES = 100_000;
const MOST_AMOUNT = (1n << 64n) - 1n;

/**
 * A mint's token accounts by the Digital Asset Standard's getTokenAccounts, a thousand at a time with a cursor, added up by owner.
 * Gives the slot of the oldest page (0 when the provider does not say). A page that is repeated, a cursor that stands still
 * or an account of another mint is a fault; whether all accounts came is judged by the supply.
 */
export async function readDasPages(
  { upstream, node, mint }: { readonly upstream: Upstream; readonly node: RpcNode; readonly mint: string },
  sums: OwnerSums,
  signal: AbortSignal | undefined,
): Promise<ChainFault | { readonly slot: number }> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  let slot = 0;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const wanted = { mint, limit: PAGE, options: { showZeroBalance: true }, ...(cursor === null ? {} : { cursor }) };
    const reply = await callRpc(upstream, node, 'getTokenAccounts', wanted, signal);
    if (!reply.ok) return reply;
    const result = isRecord(reply.value) ? reply.value : {};
    const { token_accounts: accounts, cursor: next, last_indexed_slot: indexed } = result;
    if (!Array.isArray(accounts) || accounts.length > PAGE) return malformed('a page of token accounts');
    const words = new Uint32Array(accounts.length * ACCOUNT_WORDS);
    for (const [index, account] of accounts.entries()) {
      const address = isRecord(account) ? account.address : null;
      if (typeof address !== 'string' || !isRecord(account)) return malformed('a token account');
      if (account.mint !== mint) return { reason: 'malformed', detail: 'the node gave accounts of another mint' };
      if (index === 0 && seen.has(address)) return { reason: 'malformed', detail: 'a page came twice' };
      if (index === 0) seen.add(address);
      if (!writeAccount(words, index * ACCOUNT_WORDS, account)) return malformed('a token account');
    }
    sums.add(words, accounts.length);
    if (typeof indexed === 'number' && Number.isSafeInteger(indexed))
      slot = slot === 0 ? indexed : Math.min(slot, indexed);
    if (accounts.length === 0 || next === undefined || next === null) return { slot };
    if (typeof next !== 'string' || next.length > 500) return malformed('a cursor');
    if (next === cursor || seen.has(`cursor ${next}`))
      return { reason: 'malformed', detail: 'the pages go in a circle' };
    seen.add(`cursor ${next}`);
    cursor = next;
  }
  return { reason: 'too_large', detail: `more than ${MOST_PAGES} pages` };
}

/** Owner in eight words, amount in two, least byte first; false when they are none. */
function writeAccount(words: Uint32Array, at: number, account: Readonly<Record<string, unknown>>): boolean {
  const owner = typeof account.owner === 'string' ? addressBytes(account.owner) : null;
  const amount =
    typeof account.amount === 'bigint'
      ? account.amount
      : typeof account.amount === 'number' && Number.isSafeInteger(account.amount)
        ? BigInt(account.amount)
        : null;
  if (owner === null || owner.length !== 32 || amount === null || amount < 0n || amount > MOST_AMOUNT) return false;
  const view = new DataView(owner.buffer, owner.byteOffset, 32);
  for (let word = 0; word < 8; word += 1) words[at + word] = view.getUint32(word * 4, true);
  words[at + 8] = Number(amount & 0xffff_ffffn);
  words[at + 9] = Number(amount >> 32n);
  return true;
}

function malformed(what: string): ChainFault {
  return { reason: 'malformed', detail: `the node's reply does not look like ${what}` };
}
