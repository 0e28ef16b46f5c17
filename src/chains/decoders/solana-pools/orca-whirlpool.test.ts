import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { swapQuoteByInputToken, tickIndexToSqrtPrice } from '@orca-so/whirlpools-core';
import fc from 'fast-check';
import { i32, type SolanaAccount, u128 } from '../../codecs/accounts.ts';
import { concentrated, type Tick } from '../../pool-math/concentrated.ts';
import { whirlpoolSqrtPriceAtTick } from '../../pool-math/tick-math.ts';
import type { Accounts } from './program.ts';
import { orcaWhirlpool, whirlpoolTickArrayAddress } from './ticked-pools.ts';

const REFERENCE = `${process.env.ASSAY_REFERENCE_DATA ?? '../shared/data'}/recorded/solana_accounts`;
const skip = existsSync(REFERENCE) ? false : 'no reference data';

function recorded(name: string): SolanaAccount {
  const { pubkey, account } = JSON.parse(readFileSync(`${REFERENCE}/${name}.json`, 'utf8'));
  const data = Uint8Array.fromBase64(account.data[0]);
  return { address: pubkey, owner: account.owner, lamports: BigInt(account.lamports), data };
}

describe('a Whirlpool of mainnet (SOL/USDC, 2023)', { skip }, () => {
  it('has the price of its own tick, and its own vault', () => {
    const account = recorded('orca_whirlpool_sol_usdc_2023');
    const pool = orcaWhirlpool.open(account);
    assert(pool.ok);
    const price = (pool.value.summary.price ?? 0) * 1_000;
    assert(Math.abs(price - 23.247) < 0.001, String(price));
    const [root, tick] = [u128(account.data, 65), i32(account.data, 81)];
    assert(whirlpoolSqrtPriceAtTick(tick) <= root);
    assert(whirlpoolSqrtPriceAtTick(tick + 1) > root);
    assert.equal(pool.value.needs[0], recorded('orca_token_vault_a').address);
  });

  it('keeps its tick arrays where we derive them', () => {
    const pool = recorded('orca_whirlpool_sol_usdc_2023').address;
    for (let index = 1; index <= 6; index++) {
      const array = recorded(`orca_tick_array_${index}`);
      const start = new DataView(array.data.buffer, array.data.byteOffset).getInt32(8, true);
      assert.equal(whirlpoolTickArrayAddress(pool, start), array.address);
    }
  });

  it('is not described when the ticks at its price were not read', () => {
    const account = recorded('orca_whirlpool_sol_usdc_2023');
    const opened = orcaWhirlpool.open(account);
    assert(opened.ok);
    const accounts: Accounts = new Map([account, recorded('orca_token_vault_a')].map((one) => [one.address, one]));
    const reading = opened.value.read(accounts, 1);
    assert(!reading.ok && reading.reason === 'not_found');
  });
});

describe("Whirlpool mathematics beside Orca's own (@orca-so/whirlpools-core)", () => {
  it('has the same square root of price at every tick', () => {
    for (let tick = -443_636; tick <= 443_636; tick += 4_099) {
      assert.equal(whirlpoolSqrtPriceAtTick(tick), tickIndexToSqrtPrice(tick));
    }
    fc.assert(
      fc.property(fc.integer({ min: -443_636, max: 443_636 }), (tick) => {
        assert.equal(whirlpoolSqrtPriceAtTick(tick), tickIndexToSqrtPrice(tick));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same for 2,000 swaps over random ticks, to the unit', () => {
    let filled = 0;
    fc.assert(
      fc.property(
        poolArbitrary,
        fc.bigInt({ min: 1n, max: 10n ** 16n }),
        fc.boolean(),
        (pool, amountIn, zeroForOne) => {
          const ours = ourCurve(pool).swapExactIn(amountIn, zeroForOne);
          const theirs = orcaQuote(pool, amountIn, zeroForOne);
          if (theirs !== null && ours !== null) filled += 1;
          assert.equal(ours?.amountOut ?? null, theirs?.out ?? null);
          if (ours && theirs) assert.equal(ours.fee, theirs.fee);
        },
      ),
      { numRuns: 2_000 },
    );
    assert(filled > 500, `only ${filled} swaps were filled`);
  });
});

interface RandomPool {
  readonly spacing: number;
  readonly tick: number;
  readonly sqrtPrice: bigint;
  readonly liquidity: bigint;
  readonly feeMillionths: number;
  readonly ticks: readonly Tick[];
}

const TICKS_PER_ARRAY = 88;
const firstTick = (pool: { readonly tick: number; readonly spacing: number }) => {
  const width = TICKS_PER_ARRAY * pool.spacing;
  return (Math.floor(pool.tick / width) - 2) * width;
};

const poolArbitrary: fc.Arbitrary<RandomPool> = fc
  .record({
    spacing: fc.constantFrom(1, 8, 64, 128),
    tick: fc.integer({ min: -200_000, max: 200_000 }),
    within: fc.integer({ min: 0, max: 999 }),
    feeMillionths: fc.constantFrom(0, 100, 3_000, 20_000),
    positions: fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 438 }),
        fc.integer({ min: 0, max: 438 }),
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
      ),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ spacing, tick, within, feeMillionths, positions }) => {
    const low = whirlpoolSqrtPriceAtTick(tick);
    const sqrtPrice = low + ((whirlpoolSqrtPriceAtTick(tick + 1) - low) * BigInt(within)) / 1_000n;
    const net = new Map<number, bigint>();
    let liquidity = 0n;
    for (const [a, b, amount] of positions) {
      if (a === b) continue;
      const [lower, upper] = [Math.min(a, b), Math.max(a, b)].map(
        (slot) => firstTick({ tick, spacing }) + slot * spacing,
      ) as [number, number];
      net.set(lower, (net.get(lower) ?? 0n) + amount);
      net.set(upper, (net.get(upper) ?? 0n) - amount);
      if (lower <= tick && tick < upper) liquidity += amount;
    }
    const ticks = [...net].map(([index, liquidityNet]) => ({ index, liquidityNet }));
    return { spacing, tick, sqrtPrice, liquidity, feeMillionths, ticks };
  });

function ourCurve(pool: RandomPool) {
  const lowest = firstTick(pool);
  return concentrated({
    bits: 64,
    sqrtPrice: pool.sqrtPrice,
    tick: pool.tick,
    liquidity: pool.liquidity,
    feeMillionths: BigInt(pool.feeMillionths),
    ticks: pool.ticks,
    lowest,
    highest: lowest + 5 * TICKS_PER_ARRAY * pool.spacing - 1,
    wordTicks: null,
    tickSpacing: pool.spacing,
    sqrtPriceAtTick: whirlpoolSqrtPriceAtTick,
  });
}

function orcaQuote(pool: RandomPool, amountIn: bigint, aToB: boolean) {
  const lowest = firstTick(pool);
  const net = new Map(pool.ticks.map((tick) => [tick.index, tick.liquidityNet]));
  const width = TICKS_PER_ARRAY * pool.spacing;
  const arrays = [0, 1, 2, 3, 4].map((array) => ({
    startTickIndex: lowest + array * width,
    ticks: Array.from({ length: TICKS_PER_ARRAY }, (_, slot) => {
      const index = lowest + array * width + slot * pool.spacing;
      return {
        initialized: net.has(index),
        liquidityNet: net.get(index) ?? 0n,
        liquidityGross: 1n,
        feeGrowthOutsideA: 0n,
        feeGrowthOutsideB: 0n,
        rewardGrowthsOutside: [0n, 0n, 0n],
      };
    }),
  }));
  try {
    const quote = swapQuoteByInputToken(
      amountIn,
      aToB,
      0,
      {
        feeTierIndexSeed: new Uint8Array([pool.spacing & 255, pool.spacing >> 8]),
        tickSpacing: pool.spacing,
        feeRate: pool.feeMillionths,
        protocolFeeRate: 0,
        liquidity: pool.liquidity,
        sqrtPrice: pool.sqrtPrice,
        tickCurrentIndex: pool.tick,
        feeGrowthGlobalA: 0n,
        feeGrowthGlobalB: 0n,
        rewardLastUpdatedTimestamp: 0n,
        rewardInfos: Array.from({ length: 3 }, () => ({ emissionsPerSecondX64: 0n, growthGlobalX64: 0n })),
      },
      null,
      arrays,
      0n,
    );
    // Orca's quote of a swap that runs out of ticks is of what could be traded.
    return quote.tokenIn === amountIn ? { out: quote.tokenEstOut, fee: quote.tradeFee } : null;
  } catch {
    return null;
  }
}
