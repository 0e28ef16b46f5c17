import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { base58 } from '@scure/base';
import { type Address, address } from '@solana/kit';
import type { LiteSVM } from 'litesvm';

export type Lie =
  | 'none'
  | 'error_in_200'
  | 'slow_down'
  | 'forbidden'
  | 'cut'
  | 'stall'
  | 'wrong_slice'
  | 'not_base64'
  | 'not_json'
  | 'repeat_page'
  | 'skip_page'
  | 'circle'
  | 'every_account_twice'
  | 'spaced_out';

export interface SolanaNode {
  readonly url: string;
  lie: Lie;
  /** Accounts of one page of getProgramAccountsV2. */
  pageSize: number;
  readonly asked: string[];
  close(): Promise<void>;
}

interface Row {
  readonly pubkey: Address;
  readonly data: Uint8Array;
  readonly owner: Address;
}

/** A JSON-RPC node over an in-process Solana: real accounts of real programs, and lies on demand. */
export async function startSolanaNode(svm: LiteSVM, keys: readonly Address[]): Promise<SolanaNode> {
  const asked: string[] = [];
  const node = { lie: 'none' as Lie, pageSize: 100 };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      const { method, params } = JSON.parse(body) as {
        readonly method: string;
        readonly params: readonly unknown[] | DasQuestion;
      };
      asked.push(method);
      respond(response, answer(svm, keys, method, params, node.lie, node.pageSize));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return Object.assign(node, {
    url: `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

interface Answer {
  readonly status?: number;
  readonly text: string;
  readonly lie?: Lie;
}

function answer(
  svm: LiteSVM,
  keys: readonly Address[],
  method: string,
  given: readonly unknown[] | DasQuestion,
  lie: Lie,
  pageSize: number,
): Answer {
  const params = given as readonly unknown[];
  const context = { apiVersion: '3.0.0', slot: Number(svm.getClock().slot) + 1 };
  const send = (result: unknown): Answer => ({ text: JSON.stringify({ jsonrpc: '2.0', result, id: 1 }) });
  const fail = (code: number, message: string): Answer => ({
    text: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: 1 }),
  });
  if (lie === 'slow_down') return { status: 429, text: '' };
  if (lie === 'forbidden') return { status: 403, text: 'blocked' };
  const find = (key: string): Row | null => {
    const found = svm.getAccount(address(key));
    return found.exists
      ? { pubkey: found.address, data: Uint8Array.from(found.data), owner: found.programAddress }
      : null;
  };
  if (method === 'getMultipleAccounts')
    return send({ context, value: (params[0] as string[]).map((key) => shaped(find(key), {})) });
  if (method === 'getBalance')
    return send({ context, value: Number(svm.getBalance(address(String(params[0]))) ?? 0n) });
  if (method === 'getTokenAccountsByOwner') {
    const { programId } = params[1] as { readonly programId: string };
    const owned = keys
      .map((key) => find(key))
      .filter((row) => row?.owner === programId)
      .filter((row) => Buffer.from(row?.data.subarray(32, 64) ?? []).equals(base58.decode(String(params[0]))));
    const listed = lie === 'every_account_twice' ? [...owned, ...owned] : owned;
    return send({ context, value: listed.map((row) => ({ account: shaped(row, {}, lie), pubkey: row?.pubkey })) });
  }
  if (method === 'getTokenSupply') {
    const mint = Buffer.from(find(String(params[0]))?.data ?? new Uint8Array(82));
    return send({ context, value: { amount: mint.readBigUInt64LE(36).toString(), decimals: mint[44] } });
  }
  if (method === 'getTokenAccounts')
    return send(das(keys.map(find), given as DasQuestion, context.slot, lie, pageSize));
  const config = (params[1] ?? {}) as Config;
  const rows = keys
    .map((key) => find(key))
    .filter((row) => row !== null && matches(row, String(params[0]), config)) as Row[];
  if (method === 'getTokenLargestAccounts') {
    const holders = keys
      .map((key) => find(key))
      .filter((row) => row !== null && Buffer.from(row.data.subarray(0, 32)).equals(base58.decode(String(params[0]))))
      .map((row) => ({ address: row?.pubkey, amount: Buffer.from(row?.data ?? []).readBigUInt64LE(64) }))
      .sort((a, b) => (a.amount > b.amount ? -1 : 1))
      .slice(0, 20);
    return send({ context, value: holders.map((row) => ({ ...row, amount: row.amount.toString() })) });
  }
  if (lie === 'error_in_200') return fail(-32010, 'excluded from account secondary indexes');
  const value = rows.map((row) => ({ account: shaped(row, config, lie), pubkey: row.pubkey }));
  if (method === 'getProgramAccounts') {
    const listed = lie === 'every_account_twice' ? [...value, ...value] : value;
    const reply = { jsonrpc: '2.0', result: { context, value: listed }, id: 1 };
    if (lie === 'not_json') return { text: `${JSON.stringify(reply)}<html>` };
    return { text: lie === 'spaced_out' ? escaped(JSON.stringify(reply, null, 3)) : JSON.stringify(reply), lie };
  }
  if (method === 'getProgramAccountsV2') {
    const page = Number((config.paginationKey ?? 'p0').slice(1));
    const shown = lie === 'repeat_page' && page > 0 ? 0 : page;
    const part = value.slice(shown * pageSize, (shown + 1) * pageSize);
    const isLast = (page + 1) * pageSize >= value.length;
    const next = lie === 'circle' && page > 1 ? 'p1' : isLast ? null : `p${page + (lie === 'skip_page' ? 2 : 1)}`;
    return send({ context, value: { accounts: part, paginationKey: next, totalResults: value.length } });
  }
  return fail(-32601, 'Method not found');
}

interface DasQuestion {
  readonly mint: string;
  readonly cursor?: string;
}

/** The Digital Asset Standard's getTokenAccounts, as its providers answer it: accounts in the order of their addresses. */
function das(rows: readonly (Row | null)[], { mint, cursor }: DasQuestion, slot: number, lie: Lie, pageSize: number) {
  const wanted = base58.decode(mint);
  const all = rows
    .filter((row) => row !== null && row.data.length === 165)
    .filter((row) => Buffer.from(row?.data.subarray(0, 32) ?? []).equals(wanted))
    .map((row) => ({ row: row as Row, data: Buffer.from(row?.data ?? []) }));
  const page = Number((cursor ?? 'c0').slice(1));
  const shown = lie === 'repeat_page' && page > 0 ? 0 : page;
  const part = all.slice(shown * pageSize, (shown + 1) * pageSize);
  const isLast = (page + 1) * pageSize >= all.length;
  const next = lie === 'circle' && page > 1 ? 'c1' : isLast ? undefined : `c${page + (lie === 'skip_page' ? 2 : 1)}`;
  return {
    last_indexed_slot: slot,
    total: part.length,
    limit: pageSize,
    ...(next === undefined ? {} : { cursor: next }),
    token_accounts: part.map(({ row, data }) => ({
      address: row.pubkey,
      mint,
      owner: base58.encode(data.subarray(32, 64)),
      // Numbers past 2^53 are written whole, as the providers write them.
      amount: Number(data.readBigUInt64LE(64)),
      delegated_amount: 0,
      frozen: data[108] === 2,
      burnt: false,
    })),
  };
}

interface Config {
  readonly filters?: readonly {
    readonly dataSize?: number;
    readonly memcmp?: { readonly offset: number; readonly bytes: string };
  }[];
  readonly dataSlice?: { readonly offset: number; readonly length: number };
  readonly paginationKey?: string;
}

function shaped(row: Row | null, { dataSlice }: Config, lie: Lie = 'none'): unknown {
  if (row === null) return null;
  const longer = lie === 'wrong_slice' ? 1 : 0;
  const data = dataSlice ? row.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length + longer) : row.data;
  const text = Buffer.from(data).toString('base64');
  return {
    data: [lie === 'not_base64' ? `*${text.slice(1)}` : text, 'base64'],
    executable: false,
    lamports: 2_039_280,
    owner: row.owner,
    rentEpoch: 18_446_744_073_709_552_000,
    space: row.data.length,
  };
}

function matches(row: Row, program: string, { filters = [] }: Config): boolean {
  if (row.owner !== program) return false;
  return filters.every((filter) => {
    if (filter.dataSize !== undefined) return row.data.length === filter.dataSize;
    const { offset = 0, bytes = '' } = filter.memcmp ?? {};
    const wanted = base58.decode(bytes);
    return Buffer.from(row.data.subarray(offset, offset + wanted.length)).equals(wanted);
  });
}

function respond(response: ServerResponse, { status = 200, text, lie }: Answer): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'retry-after': '1',
  });
  if (lie === 'cut') {
    response.write(bytes.subarray(0, bytes.length >> 1));
    setTimeout(() => response.destroy(), 20);
  } else if (lie === 'stall') response.write(bytes.subarray(0, bytes.length >> 1));
  else response.end(bytes);
}

/** The same JSON with slashes escaped, as some servers write them. */
function escaped(text: string): string {
  return text.replaceAll('/', '\\/').replaceAll('+', '\\u002b');
}
