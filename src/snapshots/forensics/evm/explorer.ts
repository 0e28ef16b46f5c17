import type { ChainFault, Hex } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import { tellerOf } from '../../../domain/index.ts';
import type { Upstream } from '../../../upstream/index.ts';
import { operatorJson } from '../../../upstream/index.ts';
import { faultOf, isRecord } from '../../json-rpc.ts';
import type { CoinMove } from './coin-moves.ts';

/** A Blockscout, asked for an address's own transactions in the form that explorers share. */
export interface Explorer {
  /** Coins that the transactions of an address carried, oldest first, from `fromBlock` on; inner calls are not among them. */
  coinsAround(
    address: Hex,
    fromBlock: number,
    signal?: AbortSignal,
  ): Promise<Result<readonly (CoinMove & { readonly at: string })[], ChainFault>>;
}

export interface ExplorerOptions {
  readonly upstream: Upstream;
  /** As configured, such as https://eth.blockscout.com/api/v2. */
  readonly base: string;
  readonly secretHeaders: Readonly<Record<string, string>>;
}

const ROWS = 50;
const MOST_BYTES = 4 * 1024 * 1024;
const DEADLINES = { connectMs: 3_000, headersMs: 10_000, bodyMs: 10_000, totalMs: 12_000 };

/** `?module=account&action=txlist`, Blockscout's form of Etherscan's API (docs.blockscout.com, RPC endpoints, account). */
export function createExplorer({ upstream, base, secretHeaders }: ExplorerOptions): Explorer {
  return {
    async coinsAround(address, fromBlock, signal) {
      // The configured base is that of the newer interface; this one lies beside it.
      const url = new URL(base);
      url.pathname = url.pathname.replace(/\/v2\/?$/, '');
      const query = {
        module: 'account',
        action: 'txlist',
        address,
        startblock: String(fromBlock),
        sort: 'asc',
        page: '1',
        offset: String(ROWS),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const reply = await upstream.request(
        operatorJson({
          label: tellerOf('explorer'),
          url: url.href,
          secretHeaders,
          secretQuery: ['apikey'],
          deadlines: DEADLINES,
          maxBytes: MOST_BYTES,
        }),
        signal,
      );
      if (!reply.ok) return faultOf(reply);
      return readTransactions(reply.body, address, fromBlock);
    },
  };
}

function readTransactions(body: Uint8Array, address: Hex, fromBlock: number) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return malformed();
  }
  if (!isRecord(parsed) || !Array.isArray(parsed.result) || parsed.result.length > ROWS) return malformed();
  const moves: (CoinMove & { readonly at: string })[] = [];
  for (const row of parsed.result) {
    if (!isRecord(row)) return malformed();
    const { hash, from, to, value, blockNumber, timeStamp, isError } = row;
    if (isError === '1' || to === '' || to === null || value === '0') continue;
    const texts = [hash, from, to, value, blockNumber, timeStamp];
    if (!texts.every((text) => typeof text === 'string')) return malformed();
    const [id, sender, receiver] = [hash, from, to].map((text) => String(text).toLowerCase());
    const isSound =
      /^0x[0-9a-f]{64}$/.test(id ?? '') &&
      /^0x[0-9a-f]{40}$/.test(sender ?? '') &&
      /^0x[0-9a-f]{40}$/.test(receiver ?? '') &&
      /^\d{1,40}$/.test(String(value)) &&
      /^\d{1,12}$/.test(String(blockNumber)) &&
      /^\d{1,11}$/.test(String(timeStamp));
    if (!isSound || (sender !== address && receiver !== address)) return malformed();
    const block = Number(blockNumber);
    if (block < fromBlock) return malformed();
    moves.push({
      from: sender as Hex,
      to: receiver as Hex,
      amount: BigInt(String(value)),
      transaction: id as Hex,
      block,
      at: new Date(Number(timeStamp) * 1000).toISOString(),
    });
  }
  return { ok: true, value: moves } as const;
}

function malformed(): { readonly ok: false } & ChainFault {
  return { ok: false, reason: 'malformed', detail: "the explorer's reply does not look like transactions" };
}
