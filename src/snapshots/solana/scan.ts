import {
  addressBytes,
  type ChainFault,
  decodeTokenAccount,
  fault,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/index.ts';
import { ok, type Result } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { type BalanceTable, SOLANA_KEYS, tableFromEntries } from '../holders/balance-table.ts';
import { callRpc, faultOf, isRecord, malformedReply, type RpcNode, rpcFault, rpcRequest } from '../json-rpc.ts';
import { MalformedReply } from './account-stream.ts';
import { type AccountSums, createAccountSums } from './account-sums.ts';
import { ACCOUNT_WORDS, createOwnerSums, type Sums } from './owner-sums.ts';
import type { SolanaReader } from './reader.ts';
import { createReplyEdges, type ReplyEdges } from './reply-edges.ts';

/** Result of a scan. */
export interface TokenScan {
  readonly method: 'full_scan' | 'top20_only';
  readonly table: BalanceTable;
  readonly accounts: number;
  readonly zeroAccounts: number;
  readonly slot: number;
  readonly bytes: number;
  readonly milliseconds: number;
  /** Base units of transfer fees in accounts and mint, which are no owner's balance; absent: none were looked for. */
  readonly withheld?: bigint;
}

export type ScanForm = 'plain' | 'paged' | 'das';

export interface ScanOptions {
  readonly upstream: Upstream;
  readonly node: RpcNode;
  readonly mint: string;
  /** The program that owns the mint. */
  readonly tokenProgram: string;
  /**
   * The complete reply at once (`plain`), getProgramAccountsV2 page by page (`paged`), or the DAS method
   * getTokenAccounts (`das`).
   */
  readonly form: ScanForm;
  /** 32 random bits. */
  readonly seed: number;
  /** Limit of decoded bytes; ten million accounts are 2.9 GB. */
  readonly maxBytes: number;
  readonly totalMs: number;
  readonly now: () => number;
  /** Bytes from which accounts are read in a thread of their own; default 16 MiB. */
  readonly threadFrom?: number;
}

/** Longest pause inside a reply. */
const IDLE_MS = 60_000;
/** Accounts of a page of getProgramAccountsV2, and pages at most. */
const PROGRAM_PAGE = 10_000;
const MOST_PROGRAM_PAGES = 20_000;
/** The same of getTokenAccounts. */
const DAS_PAGE = 1_000;
const MOST_DAS_PAGES = 100_000;
const MOST_AMOUNT = (1n << 64n) - 1n;

/**
 * Every token account of a mint, added up by owner, exact to the base unit. The reply is read as a stream of bytes and
 * not stored. A reply that is cut off, is malformed or repeats a page is a fault, never a partial table.
 */
export async function scanTokenAccounts(
  options: ScanOptions,
  signal?: AbortSignal,
): Promise<Result<TokenScan, ChainFault>> {
  const startedAt = options.now();
  const state = { slot: 0, bytes: 0 };
  const read =
    options.form === 'das'
      ? await sumsOfDas(options, state, signal)
      : await sumsOf(options, selection(options), state, signal);
  if ('ok' in read) return read;
  if (read.overflowed) return fault('malformed', 'an owner has more than 2^64 base units');
  return ok({
    method: 'full_scan',
    table: { count: read.owners, form: SOLANA_KEYS, chunks: read.chunks },
    accounts: read.accounts,
    zeroAccounts: read.zeroAccounts,
    slot: state.slot,
    bytes: state.bytes,
    milliseconds: options.now() - startedAt,
  });
}

/** The twenty largest accounts with their owners: the fallback when no node gives the complete list. */
export async function scanLargest(
  reader: SolanaReader,
  mint: string,
  now: () => number,
  signal?: AbortSignal,
): Promise<Result<TokenScan, ChainFault>> {
  const startedAt = now();
  const largest = await reader.largest(mint, signal);
  if (!largest.ok) return largest;
  const addresses = largest.value.accounts.map((account) => account.address);
  const read = await reader.accounts(addresses, signal);
  if (!read.ok) return read;
  const entries: (readonly [string, bigint])[] = [];
  for (const account of read.value.accounts) {
    const decoded = account === null ? null : decodeTokenAccount(account.owner, account.data);
    if (decoded && decoded.mint === mint) entries.push([decoded.owner, decoded.amount]);
  }
  return ok({
    method: 'top20_only',
    table: tableFromEntries(SOLANA_KEYS, entries),
    accounts: entries.length,
    zeroAccounts: 0,
    slot: read.value.slot,
    bytes: 0,
    milliseconds: now() - startedAt,
  });
}

type Failed = ReturnType<typeof fault>;

/** Oldest slot and decoded bytes of the replies so far. */
interface State {
  slot: number;
  bytes: number;
}

/** The sums of the accounts of a selection, from the replies to getProgramAccounts or getProgramAccountsV2. */
export async function sumsOf(
  options: ScanOptions,
  wanted: Selection,
  state: State,
  signal: AbortSignal | undefined,
): Promise<Failed | Sums> {
  const sums = createAccountSums(options.seed, options.threadFrom);
  try {
    const read = options.form === 'plain' ? readWhole : readPages;
    return (await read(options, wanted, sums, state, signal)) ?? (await sums.sums());
  } finally {
    sums.close();
  }
}

async function readWhole(
  options: ScanOptions,
  wanted: Selection,
  sums: AccountSums,
  state: State,
  signal: AbortSignal | undefined,
): Promise<Failed | null> {
  const read = await readBody(
    options,
    'getProgramAccounts',
    { ...wanted, sortResults: false },
    sums,
    options.maxBytes,
    signal,
  );
  if ('ok' in read) return read;
  state.bytes = read.bytes;
  return noteSlot(read, state);
}

async function readPages(
  options: ScanOptions,
  wanted: Selection,
  sums: AccountSums,
  state: State,
  signal: AbortSignal | undefined,
): Promise<Failed | null> {
  const seen = new Set<string>();
  let key: string | null = null;
  for (let count = 0; count < MOST_PROGRAM_PAGES; count += 1) {
    const page = { ...wanted, limit: PROGRAM_PAGE, ...(key === null ? {} : { paginationKey: key }) };
    const read: Failed | ReplyEdges = await readBody(
      options,
      'getProgramAccountsV2',
      page,
      sums,
      options.maxBytes - state.bytes,
      signal,
    );
    if ('ok' in read) return read;
    state.bytes += read.bytes;
    const wrong = noteSlot(read, state);
    if (wrong) return wrong;
    // Unless a page is empty, it begins with an account with which no earlier page began.
    const first = /"pubkey"\s*:\s*"([1-9A-HJ-NP-Za-km-z]{32,44})"/.exec(read.head)?.[1];
    if (first !== undefined && seen.has(first)) return fault('malformed', 'a page came twice');
    if (first !== undefined) seen.add(first);
    const next = /"paginationKey"\s*:\s*(?:"([^"\\]{1,200})"|null)/.exec(`${read.head}\n${read.tail}`);
    if (next === null) return fault('malformed', 'a page does not say whether another follows');
    key = next[1] ?? null;
    if (key === null) return null;
    if (seen.has(`key ${key}`)) return fault('malformed', 'the pages go in a circle');
    seen.add(`key ${key}`);
  }
  return fault('too_large', `more than ${MOST_PROGRAM_PAGES} pages`);
}

type Selection = ReturnType<typeof selected>;
type Filter = { readonly dataSize: number } | { readonly memcmp: { readonly offset: number; readonly bytes: string } };

/** Accounts by filters; of each the 40 bytes from `offset`: 32 bytes of any kind, and an amount. */
export function selected(offset: number, filters: readonly Filter[]) {
  return {
    encoding: 'base64',
    commitment: 'confirmed',
    withContext: true,
    dataSlice: { offset, length: OWNER_BYTES + 8 },
    filters,
  };
}

export const OWNER_BYTES = 32;

/** Token-2022 accounts vary in size: they are selected by the mint alone. */
function selection({ mint, tokenProgram }: ScanOptions): Selection {
  const ofMint = { memcmp: { offset: 0, bytes: mint } };
  return selected(32, tokenProgram === TOKEN_2022_PROGRAM ? [ofMint] : [{ dataSize: 165 }, ofMint]);
}

async function readBody(
  { upstream, node, tokenProgram, totalMs }: ScanOptions,
  method: string,
  params: unknown,
  sums: AccountSums,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Failed | ReplyEdges> {
  const program = tokenProgram === TOKEN_2022_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const edges = createReplyEdges();
  let wrong: MalformedReply | null = null;
  const request = rpcRequest(
    node,
    { jsonrpc: '2.0', id: 1, method, params: [program, params] },
    {
      maxBytes,
      deadlines: { connectMs: 10_000, headersMs: totalMs, bodyMs: IDLE_MS, totalMs },
    },
  );
  const take = (chunk: Uint8Array) => {
    edges.push(chunk);
    return sums.push(chunk)?.catch((error: unknown) => {
      if (error instanceof MalformedReply) wrong = error;
      throw error;
    });
  };
  const reply = await upstream.stream(request, take, signal);
  if (wrong !== null) return fault('malformed', (wrong as MalformedReply).message);
  if (!reply.ok) return faultOf(reply);
  let accounts: number;
  try {
    accounts = await sums.endReply();
  } catch (error) {
    return fault('malformed', error instanceof MalformedReply ? error.message : 'the reply could not be read');
  }
  if (!edges.isWhole) return fault('malformed', 'the reply is not one whole JSON object');
  return accounts === 0 ? (errorInside(edges) ?? edges) : edges;
}

/** An error in a reply with status 200. */
function errorInside(edges: ReplyEdges): Failed | null {
  try {
    const parsed: unknown = JSON.parse(edges.bytes <= edges.head.length ? edges.head : '{}');
    return isRecord(parsed) && isRecord(parsed.error) ? rpcFault(parsed.error) : null;
  } catch {
    return fault('malformed', 'the reply is not JSON');
  }
}

function noteSlot(edges: ReplyEdges, state: State): Failed | null {
  const slot = /"slot"\s*:\s*(\d{1,15})/.exec(`${edges.head}\n${edges.tail}`)?.[1];
  if (slot === undefined) return fault('malformed', 'the reply does not say which slot it is of');
  // The slot of the oldest page applies to all pages.
  state.slot = state.slot === 0 ? Number(slot) : Math.min(state.slot, Number(slot));
  return null;
}

/**
 * The accounts by the Digital Asset Standard's getTokenAccounts, with a cursor; the slot stays 0 when the provider does
 * not state it. A repeated page, an unchanged cursor or an account of another mint is a fault; the supply shows whether
 * all accounts arrived.
 */
async function sumsOfDas(
  { upstream, node, mint, seed }: ScanOptions,
  state: State,
  signal: AbortSignal | undefined,
): Promise<Failed | Sums> {
  const sums = createOwnerSums(seed);
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < MOST_DAS_PAGES; page += 1) {
    const wanted = {
      mint,
      limit: DAS_PAGE,
      options: { showZeroBalance: true },
      ...(cursor === null ? {} : { cursor }),
    };
    const reply = await callRpc(upstream, node, 'getTokenAccounts', wanted, signal);
    if (!reply.ok) return reply;
    const result = isRecord(reply.value) ? reply.value : {};
    const { token_accounts: accounts, cursor: next, last_indexed_slot: indexed } = result;
    if (!Array.isArray(accounts) || accounts.length > DAS_PAGE) return malformedReply('a page of token accounts');
    const words = new Uint32Array(accounts.length * ACCOUNT_WORDS);
    for (const [index, account] of accounts.entries()) {
      const address = isRecord(account) ? account.address : null;
      if (typeof address !== 'string' || !isRecord(account)) return malformedReply('a token account');
      if (account.mint !== mint) return fault('malformed', 'the node gave accounts of another mint');
      if (index === 0 && seen.has(address)) return fault('malformed', 'a page came twice');
      if (index === 0) seen.add(address);
      if (!writeAccount(words, index * ACCOUNT_WORDS, account)) return malformedReply('a token account');
    }
    sums.add(words, accounts.length);
    if (typeof indexed === 'number' && Number.isSafeInteger(indexed))
      state.slot = state.slot === 0 ? indexed : Math.min(state.slot, indexed);
    if (accounts.length === 0 || next === undefined || next === null) return sums.whole();
    if (typeof next !== 'string' || next.length > 500) return malformedReply('a cursor');
    if (next === cursor || seen.has(`cursor ${next}`)) return fault('malformed', 'the pages go in a circle');
    seen.add(`cursor ${next}`);
    cursor = next;
  }
  return fault('too_large', `more than ${MOST_DAS_PAGES} pages`);
}

/** Owner in eight words, amount in two, least byte first; false if they are malformed. */
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
