import type { PoolReading } from '../../chains/index.ts';
import { wholeTokens } from '../../chains/index.ts';
import { finite } from '../../domain/index.ts';
import { DEPTH_MOVES_PCT } from '../../metrics/index.ts';

/** A pool that was read, as plain JSON in its own two tokens: no dollars, no asset. Amounts in base units are strings. */
export function describeReading(reading: PoolReading): Readonly<Record<string, unknown>> {
  const [token0, token1] = reading.tokens;
  const price = reading.curve.price * 10 ** (token0.decimals - token1.decimals);
  return {
    kind: 'pool',
    dex: reading.dex,
    protocol: reading.protocol,
    pool_kind: reading.kind,
    address: reading.address,
    complete: true,
    tokens: reading.tokens.map((token) => ({
      address: token.address,
      decimals: token.decimals,
      reserve_raw: token.reserve.toString(),
      reserve: wholeTokens(token.reserve, token.decimals),
    })),
    price_1_per_0: finite(price),
    price_0_per_1: finite(1 / price),
    fee_rate_pct: finite(reading.feeRate * 100),
    depth: DEPTH_MOVES_PCT.map((movePct) => ({
      move_pct: movePct,
      down_token_1: flow(reading, 1 - movePct / 100),
      up_token_1: flow(reading, 1 + movePct / 100),
    })),
    lp: reading.lp,
    inactive: reading.inactive,
    height: reading.height || null,
    notes: reading.notes,
  };
}

/** Whole tokens 1 that flow when the price moves by a factor. */
function flow({ curve, tokens }: PoolReading, factor: number): number | null {
  return finite(Math.abs(curve.toPrice(curve.price * factor).amount1) / 10 ** tokens[1].decimals);
}
