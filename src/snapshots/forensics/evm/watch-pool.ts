import type { ChainFault, Hex } from '../../../chains/index.ts';
import { addressAt, callData, ERC20, uintAt } from '../../../chains/index.ts';
import type { Result } from '../../../domain/index.ts';
import type { EvmReader } from '../../evm/types.ts';
import type { WatchedPool } from '../types.ts';

const TOKEN0: Hex = '0x0dfe1681';
const TOKEN1: Hex = '0xd21220a7';

export interface EvmWatch {
  readonly pool: WatchedPool;
  /** Quote tokens that the pool holds at `block`, base units. */
  readonly held: bigint;
  readonly block: number;
}

/** A pool that holds its tokens itself, as those of Uniswap v2 and v3 and their kin do. */
export async function watchEvmPool(
  reader: Pick<EvmReader, 'calls'>,
  { address, dex, base }: { readonly address: Hex; readonly dex: string; readonly base: Hex },
  signal?: AbortSignal,
): Promise<Result<EvmWatch, ChainFault>> {
  const told = await reader.calls(
    [TOKEN0, TOKEN1].map((data) => ({ to: address, data })),
    'latest',
    signal,
  );
  if (!told.ok) return told;
  const tokens = told.value.results.map((word) => (word === null ? null : addressAt(word, 0)));
  const quote = tokens.find((token) => token !== null && token !== base);
  if (quote === undefined || quote === null || !tokens.includes(base))
    return {
      ok: false,
      reason: 'not_found',
      detail: 'its tokens do not lie with the pool itself, or it does not trade this asset',
    };
  const { block } = told.value;
  const more = await reader.calls(
    [
      { to: quote, data: callData(ERC20.balanceOf, address) },
      { to: quote, data: ERC20.decimals },
      { to: base, data: ERC20.decimals },
    ],
    block,
    signal,
  );
  if (!more.ok) return more;
  const [held, quoteDecimals, baseDecimals] = more.value.results.map((word) =>
    word === null ? null : uintAt(word, 0),
  );
  if (held === null || held === undefined)
    return { ok: false, reason: 'malformed', detail: 'what it holds of the other token cannot be read' };
  const own = new Set([address]);
  const pool = {
    address,
    dex,
    base,
    quote,
    baseDecimals: decimalsOf(baseDecimals),
    quoteDecimals: decimalsOf(quoteDecimals),
    accounts: own,
    owners: own,
  };
  return { ok: true, value: { pool, held, block } };
}

function decimalsOf(value: bigint | null | undefined): number | null {
  return value === null || value === undefined || value > 255n ? null : Number(value);
}
