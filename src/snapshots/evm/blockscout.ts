import { type ChainFault, fault, type Hex } from '../../chains/index.ts';
import { ok, type Result, sourceFor } from '../../domain/index.ts';
import { operatorJson, type Upstream } from '../../upstream/index.ts';
import type { CoinMove } from '../forensics/evm/transaction.ts';
import { type BalanceTable, EVM_KEYS, tableFromEntries } from '../holders/balance-table.ts';
import { faultOf, isRecord } from '../json-rpc.ts';
import { hexWord } from './reader.ts';

/** The Blockscout instance of a chain. */
export interface Blockscout {
  readonly upstream: Upstream;
  /** As configured, such as https://eth.blockscout.com/api/v2; a key may be in its query. */
  readonly base: string;
  readonly secretHeaders: Readonly<Record<string, string>>;
}

export interface BlockscoutHolders {
  readonly table: BalanceTable;
  /** As counted by Blockscout; null when it states no count. */
  readonly holderCount: number | null;
  readonly pages: number;
}

const HOLDER_LIMITS = {
  deadlines: { connectMs: 5_000, headersMs: 20_000, bodyMs: 20_000, totalMs: 25_000 },
  maxBytes: 8 * 1024 * 1024,
  retries: 2,
};

/**
 * The largest holders as Blockscout lists them, in pages of 50 (docs.blockscout.com, /api/v2/tokens/{address}/holders).
 * Values must not increase from page to page. Balances may change between two pages, so that a row occurs twice: the
 * first one counts. A page without new holders, or out of order, is a fault.
 */
export async function blockscoutHolders(
  blockscout: Blockscout,
  { token, mostPages }: { readonly token: Hex; readonly mostPages: number },
  signal?: AbortSignal,
): Promise<Result<BlockscoutHolders, ChainFault>> {
  const get = (path: string, query: Readonly<Record<string, string>>) =>
    getJson(blockscout, (base) => base.replace(/\/+$/, '') + path, query, HOLDER_LIMITS, signal);
  const rows = new Map<string, bigint>();
  const about = await get(`/tokens/${token}`, {});
  if (!about.ok) return about;
  let query: Readonly<Record<string, string>> = {};
  let least: bigint | null = null;
  for (let page = 1; ; page += 1) {
    const reply: Awaited<ReturnType<typeof get>> = await get(`/tokens/${token}/holders`, query);
    if (!reply.ok) return reply;
    const { items, next_page_params: next } = reply.value;
    if (!Array.isArray(items)) return malformed('a page of holders');
    const before = rows.size;
    for (const item of items) {
      const row = holderOf(item);
      if (row === null) return malformed('a holder');
      if (rows.has(row.owner)) continue;
      if (least !== null && row.balance > least) return fault('malformed', 'the pages of holders are out of order');
      rows.set(row.owner, row.balance);
      least = row.balance;
    }
    if (items.length > 0 && rows.size === before) return fault('malformed', 'a page of holders came twice');
    if (!isRecord(next) || items.length === 0 || page >= mostPages) {
      const holderCount = countOf(about.value.holders_count ?? about.value.holders);
      return ok({ table: tableFromEntries(EVM_KEYS, rows), holderCount, pages: page });
    }
    query = Object.fromEntries(
      Object.entries(next).map(([name, value]) => [name.slice(0, 60), String(value).slice(0, 200)]),
    );
  }
}

/** A number of holders, which is text at most instances; null, an empty text and 0 mean that they were not counted. */
function countOf(value: unknown): number | null {
  const isCount = typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
  const count = isCount ? Number(value) : 0;
  return Number.isSafeInteger(count) && count > 0 ? count : null;
}

function holderOf(item: unknown): { readonly owner: string; readonly balance: bigint } | null {
  const owner = isRecord(item) && isRecord(item.address) ? hexWord(item.address.hash, 40) : null;
  if (owner === null || !isRecord(item) || typeof item.value !== 'string' || !/^\d{1,78}$/.test(item.value))
    return null;
  return { owner, balance: BigInt(item.value) };
}

const MOST_LISTED = 10_000;

/**
 * Contracts of the ERC-20 tokens that Blockscout lists as held by an address (docs.blockscout.com,
 * /api/v2/addresses/{address}/token-balances). Names and balances are not read: both are untrusted.
 */
export async function blockscoutTokens(
  blockscout: Blockscout,
  owner: Hex,
  signal?: AbortSignal,
): Promise<Result<readonly Hex[], ChainFault>> {
  const path = (base: string) => `${base.replace(/\/+$/, '')}/addresses/${owner}/token-balances`;
  const reply = await getAny(blockscout, path, {}, HOLDER_LIMITS, signal);
  if (!reply.ok) return reply.reason === 'not_found' ? ok([]) : reply;
  if (!Array.isArray(reply.value)) return malformed('token balances');
  const tokens = new Set<Hex>();
  for (const row of reply.value) {
    const token = isRecord(row) ? row.token : null;
    if (!isRecord(token)) return malformed('a token balance');
    const address = hexWord(token.address_hash ?? token.address, 40);
    if (token.type === 'ERC-20' && address !== null && tokens.size < MOST_LISTED) tokens.add(address);
  }
  return ok([...tokens]);
}

/** Reads the transactions of an address from an explorer. */
export interface Explorer {
  /** Coins moved from or to an address from `fromBlock` on, oldest first, by transactions and by calls within them. */
  coinsAround(
    address: Hex,
    fromBlock: number,
    signal?: AbortSignal,
  ): Promise<Result<readonly ExplorerMove[], ChainFault>>;
}

type ExplorerMove = CoinMove & { readonly at: string };

const TRANSACTIONS = 50;
const TRANSACTION_LIMITS = {
  deadlines: { connectMs: 3_000, headersMs: 10_000, bodyMs: 10_000, totalMs: 12_000 },
  maxBytes: 4 * 1024 * 1024,
};

/**
 * `?module=account&action=txlist` and `txlistinternal`, Blockscout's form of Etherscan's API (docs.blockscout.com, RPC endpoints,
 * account; fields: its `address_view.ex`). A payment by a contract (several receivers at once, a withdrawal) is in the second list
 * only: one list alone would show a later payer as the first.
 */
export function createExplorer(blockscout: Blockscout): Explorer {
  async function listOf(action: string, address: Hex, startblock: number, signal?: AbortSignal) {
    const query = {
      module: 'account',
      action,
      address,
      startblock: String(startblock),
      sort: 'asc',
      page: '1',
      offset: String(TRANSACTIONS),
    };
    // The configured base is that of the newer interface; the older one is next to it.
    const besideIt = (base: string) => base.replace(/\/v2\/?$/, '');
    const reply = await getJson(blockscout, besideIt, query, TRANSACTION_LIMITS, signal);
    if (!reply.ok) return reply;
    const { result } = reply.value;
    if (!Array.isArray(result) || result.length > TRANSACTIONS) return malformed('transactions');
    const moves = result.map((row: unknown) => coinMoveOf(row, address, startblock));
    return moves.includes('malformed')
      ? malformed('transactions')
      : ok({ moves: moves.filter((move) => move !== null && move !== 'malformed'), last: lastBlockOf(result) });
  }

  return {
    async coinsAround(address, startblock, signal) {
      const lists: ExplorerMove[] = [];
      let end = Number.POSITIVE_INFINITY;
      for (const action of ['txlist', 'txlistinternal']) {
        const list = await listOf(action, address, startblock, signal);
        if (!list.ok) return list;
        lists.push(...list.value.moves);
        end = Math.min(end, list.value.last);
      }
      // After the last block of a list that is cut, the other one does not show who paid first.
      const isSeen = ({ block, from }: ExplorerMove) => block <= end || from === address;
      return ok(lists.filter(isSeen).sort((a, b) => a.block - b.block));
    },
  };
}

/** Last block of a list that may go on; infinite for one that does not. */
function lastBlockOf(rows: readonly unknown[]): number {
  const last = rows.length < TRANSACTIONS ? null : rows.at(-1);
  return isRecord(last) ? Number(last.blockNumber) : Number.POSITIVE_INFINITY;
}

/** Coins that a row of a list of transactions moved; null for none. */
function coinMoveOf(row: unknown, address: Hex, fromBlock: number) {
  if (!isRecord(row)) return 'malformed';
  const { hash = row.transactionHash, from, to, value, blockNumber, timeStamp, isError } = row;
  if (isError === '1' || to === '' || to === null || value === '0') return null;
  const [transaction, sender, receiver] = [hexWord(hash, 64), hexWord(from, 40), hexWord(to, 40)];
  if (transaction === null || sender === null || receiver === null) return 'malformed';
  if (typeof value !== 'string' || typeof blockNumber !== 'string' || typeof timeStamp !== 'string') return 'malformed';
  const isSound = /^\d{1,40}$/.test(value) && /^\d{1,12}$/.test(blockNumber) && /^\d{1,11}$/.test(timeStamp);
  const block = Number(blockNumber);
  if (!isSound || (sender !== address && receiver !== address) || block < fromBlock) return 'malformed';
  const at = new Date(Number(timeStamp) * 1000).toISOString();
  return { from: sender, to: receiver, amount: BigInt(value), transaction, block, at };
}

/** The JSON object at a path that is derived from the configured one. */
async function getJson(
  ...asked: Parameters<typeof getAny>
): Promise<Result<Readonly<Record<string, unknown>>, ChainFault>> {
  const reply = await getAny(...asked);
  if (!reply.ok) return reply;
  return isRecord(reply.value) ? ok(reply.value) : malformed('an object');
}

async function getAny(
  { upstream, base, secretHeaders }: Blockscout,
  pathOf: (base: string) => string,
  query: Readonly<Record<string, string>>,
  limits: typeof HOLDER_LIMITS | typeof TRANSACTION_LIMITS,
  signal: AbortSignal | undefined,
): Promise<Result<unknown, ChainFault>> {
  const url = new URL(base);
  url.pathname = pathOf(url.pathname);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const label = sourceFor('explorer');
  const request = operatorJson({ label, url: url.href, secretHeaders, secretQuery: ['apikey'], ...limits });
  const reply = await upstream.request(request, signal);
  if (!reply.ok)
    return reply.status === 404 ? fault('not_found', 'Blockscout does not know the address') : faultOf(reply);
  try {
    return ok(JSON.parse(new TextDecoder().decode(reply.body)) as unknown);
  } catch {
    return malformed('JSON');
  }
}

function malformed(what: string) {
  return fault('malformed', `Blockscout's reply does not look like ${what}`);
}
