import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { tellerOf } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { operatorJson } from '../../../upstream/index.ts';
import { type BalanceTable, tableFromEntries } from '../../holders/balance-table.ts';
import { EVM_KEYS } from '../../holders/key-forms.ts';
import { faultOf, isRecord } from '../../json-rpc.ts';

export interface BlockscoutHolders {
  readonly table: BalanceTable;
  /** As Blockscout counts them; null when it does not say. */
  readonly holderCount: number | null;
  readonly pages: number;
}

export interface BlockscoutAsk {
  readonly upstream: Upstream;
  /** Such as https://eth.blockscout.com/api/v2; a key may be in its query. */
  readonly base: string;
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly token: Hex;
  /** Pages of 50 at most. */
  readonly mostPages: number;
}

/**
 * The largest holders as Blockscout lists them, page by page (docs.blockscout.com, /api/v2/tokens/{address}/holders). Pages
 * must go down in value. Balances move between two pages, so that a row may come twice: the first counts. A page that names
 * nobody new, or one that is out of order, ends the list as a fault.
 */
export async function blockscoutHolders(
  ask: BlockscoutAsk,
  signal?: AbortSignal,
): Promise<Result<BlockscoutHolders, ChainFault>> {
  const rows = new Map<string, bigint>();
  const about = await get(ask, `/tokens/${ask.token}`, {}, signal);
  if (!about.ok) return about;
  let query: Readonly<Record<string, string>> = {};
  let least: bigint | null = null;
  for (let page = 1; ; page += 1) {
    const reply: Result<Readonly<Record<string, unknown>>, ChainFault> = await get(
      ask,
      `/tokens/${ask.token}/holders`,
      query,
      signal,
    );
    if (!reply.ok) return reply;
    const { items, next_page_params: next } = reply.value;
    if (!Array.isArray(items)) return malformed('a page of holders');
    const before = rows.size;
    for (const item of items) {
      const row = holderOf(item);
      if (row === null) return malformed('a holder');
      if (rows.has(row.owner)) continue;
      if (least !== null && row.balance > least)
        return { ok: false, reason: 'malformed', detail: 'the pages of holders are out of order' };
      rows.set(row.owner, row.balance);
      least = row.balance;
    }
    if (items.length > 0 && rows.size === before)
      return { ok: false, reason: 'malformed', detail: 'a page of holders came twice' };
    if (!isRecord(next) || items.length === 0 || page >= ask.mostPages) {
      const count = Number(about.value.holders_count ?? about.value.holders);
      const table = tableFromEntries(EVM_KEYS, rows);
      return {
        ok: true,
        value: { table, holderCount: Number.isSafeInteger(count) && count >= 0 ? count : null, pages: page },
      };
    }
    query = Object.fromEntries(
      Object.entries(next).map(([name, value]) => [name.slice(0, 60), String(value).slice(0, 200)]),
    );
  }
}

function holderOf(item: unknown): { readonly owner: string; readonly balance: bigint } | null {
  if (!isRecord(item) || !isRecord(item.address)) return null;
  const owner = item.address.hash;
  const { value } = item;
  if (typeof owner !== 'string' || EVM_KEYS.keyOf(owner) === null) return null;
  if (typeof value !== 'string' || !/^\d{1,78}$/.test(value)) return null;
  return { owner: owner.toLowerCase(), balance: BigInt(value) };
}

async function get(
  ask: BlockscoutAsk,
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Result<Readonly<Record<string, unknown>>, ChainFault>> {
  const url = new URL(ask.base);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const request = operatorJson({
    label: tellerOf('explorer'),
    url: url.href,
    secretHeaders: ask.secretHeaders,
    secretQuery: ['apikey'],
    deadlines: { connectMs: 5_000, headersMs: 20_000, bodyMs: 20_000, totalMs: 25_000 },
    maxBytes: 8 * 1024 * 1024,
    retries: 2,
  });
  const reply = await ask.upstream.request(request, signal);
  if (!reply.ok)
    return reply.status === 404
      ? { ok: false, reason: 'not_found', detail: 'Blockscout does not know the token' }
      : faultOf(reply);
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(reply.body));
    return isRecord(parsed) ? { ok: true, value: parsed } : malformed('an object');
  } catch {
    return malformed('JSON');
  }
}

function malformed(what: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: `Blockscout's reply does not look like ${what}` };
}
