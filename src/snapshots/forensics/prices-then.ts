import { type Chain, EVM_CHAINS, findChain, WRAPPED_SOL } from '../../chains/index.ts';
import { tellerOf } from '../../domain/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import { operatorJson } from '../../upstream/index.ts';

/** Dollars per whole token at a moment of the past, with its source; null when not known. */
export type PriceThen = (
  chain: string,
  address: string,
  at: string,
  signal?: AbortSignal,
) => Promise<{ readonly usd: number; readonly source: string } | null>;

export interface PriceThenTools {
  readonly upstream: Upstream;
  /** DefiLlama's coins service, such as https://coins.llama.fi; null when the source is off. */
  readonly llamaCoins: string | null;
  /** Our own kept price of an asset at a moment, within the hour before. */
  readonly kept: (assetId: string, at: string) => Promise<number | null>;
}

const SOURCE = tellerOf('past_prices');
const STEP_SECONDS = 600;
const MOST_BYTES = 256 * 1024;
const DEADLINES = { connectMs: 3_000, headersMs: 8_000, bodyMs: 8_000, totalMs: 10_000 };

/** Prices of the tokens that pools are quoted in, by the ten minutes, each requested once. */
export function createPriceThen({ upstream, llamaCoins, kept }: PriceThenTools): PriceThen {
  const known = new Map<string, ReturnType<PriceThen>>();
  async function ask(chain: Chain, address: string, seconds: number, signal?: AbortSignal): ReturnType<PriceThen> {
    const at = new Date(seconds * 1000).toISOString();
    const own = await kept(`${chain.caip2}/${chain.kind === 'solana' ? 'token' : 'erc20'}:${address}`, at);
    if (own !== null) return { usd: own, source: 'own_history' };
    if (llamaCoins === null || chain.names.defillama === null) return null;
    const key = `${chain.names.defillama}:${address}`;
    const reply = await upstream.request(
      operatorJson({
        label: SOURCE,
        url: `${llamaCoins.replace(/\/$/, '')}/prices/historical/${seconds}/${encodeURIComponent(key)}`,
        deadlines: DEADLINES,
        maxBytes: MOST_BYTES,
      }),
      signal,
    );
    const usd = reply.ok ? priceIn(reply.body, key, seconds) : null;
    return usd === null ? null : { usd, source: SOURCE };
  }
  return async (chainName, given, at, signal) => {
    const chain = findChain(chainName);
    const seconds = Math.floor(Date.parse(at) / 1000 / STEP_SECONDS) * STEP_SECONDS;
    if (chain === null || !Number.isFinite(seconds)) return null;
    const address = given === 'native' ? wrappedOf(chain) : given;
    if (address === null) return null;
    const name = `${chain.name} ${address} ${seconds}`;
    const asked = known.get(name) ?? ask(chain, address, seconds, signal);
    known.set(name, asked);
    return asked;
  };
}

/** A wrapped coin is worth the coin. */
function wrappedOf(chain: Chain): string | null {
  if (chain.kind === 'solana') return WRAPPED_SOL;
  return EVM_CHAINS.find((row) => row.name === chain.name)?.wrappedNative.address ?? null;
}

/** A price more than a day away from the moment is no price of then. */
const MOST_APART_SECONDS = 86_400;

function priceIn(body: Uint8Array, key: string, seconds: number): number | null {
  try {
    const { coins } = JSON.parse(new TextDecoder().decode(body)) as {
      readonly coins?: Readonly<Record<string, unknown>>;
    };
    const row = Object.entries(coins ?? {}).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] as
      | { readonly price?: unknown; readonly timestamp?: unknown }
      | undefined;
    const { price, timestamp } = row ?? {};
    const isThen = typeof timestamp === 'number' && Math.abs(timestamp - seconds) <= MOST_APART_SECONDS;
    return isThen && typeof price === 'number' && Number.isFinite(price) && price > 0 ? price : null;
  } catch {
    return null;
  }
}
