import Type, { type Static } from 'typebox';
import { isTradedPair, solana } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { feeRate, observed, poolObservations } from './observations.ts';
import { onSolana } from './plans.ts';
import {
  amount,
  date,
  fields,
  LooseOptional,
  Maybe,
  Nullable,
  num,
  positive,
  Rows,
  share,
  TextOptional,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * Raydium API v3: its own pools on Solana, keyless, no published limit.
 *
 * Lineage: family `venue`; primary for its own pools. Quirks: numbers are JSON numbers; `feeRate` is a fraction; unknown ids
 * are null elements; `openTime` "0" means unknown; values in an obscure counter token, easy to fake, are not used; `burnPercent` is the burned part of LP, which no aggregator states; it is
 * meaningless for concentrated pools. Checked: volumeFee = volume x feeRate in a recorded row.
 */
const Mint = Type.Object({ address: Type.String() });
const Pool = Type.Object({
  type: Type.String(),
  id: Type.String(),
  mintA: Mint,
  mintB: Mint,
  ...fields(LooseOptional, 'mintAmountA', 'mintAmountB', 'feeRate', 'openTime', 'tvl'),
  day: Maybe(Type.Object({ volume: LooseOptional })),
  burnPercent: LooseOptional,
});
const Pools = Type.Object({
  success: Type.Boolean(),
  msg: TextOptional,
  // Unknown ids are null.
  data: Maybe(Type.Object({ data: Rows(Nullable(Pool)) })),
});

/** Ratio, in either direction, between half of a pool's stated value and the dollar tokens in it. */
const MOST_APART = 1.25;

/**
 * True if the stated value of a pool can be used: one side is a token whose value is hard to fake, and the dollars in a constant-product
 * pool are about half of the value. `tvl` is at prices of Raydium's own list, which need not be those of the pool (a recorded pool with
 * 1,319 USDC is stated at 364,091 dollars).
 */
function isFair(row: Static<typeof Pool>, asset: string): boolean {
  const sides = [
    { mint: row.mintA.address, held: positive(row.mintAmountA) },
    { mint: row.mintB.address, held: positive(row.mintAmountB) },
  ];
  if (!isTradedPair('solana', asset, [row.mintA.address, row.mintB.address])) return false;
  const half = (amount(row.tvl) ?? 0) / 2;
  if (row.type !== 'Standard' || half === 0) return true;
  const dollars = solana.quoteTokens.filter(({ symbol }) => symbol.startsWith('USD'));
  return sides.every(
    ({ mint, held }) =>
      held === null ||
      !dollars.some(({ address }) => address === mint) ||
      Math.max(half / held, held / half) <= MOST_APART,
  );
}

function observe(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const rows = partsOf(Pool, reply.data?.data ?? []).filter(
    (row) => row.mintA.address === params.address || row.mintB.address === params.address,
  );
  const drafts: ObservationDraft[] = [];
  let locked = 0;
  let standard = 0;
  for (const row of rows) {
    const isA = row.mintA.address === params.address;
    const counter = isA ? row.mintB.address : row.mintA.address;
    const kind = row.type === 'Standard' ? 'constant_product' : 'concentrated';
    const fair = isFair(row, String(params.address));
    const tvl = fair ? amount(row.tvl) : null;
    const burned = kind === 'constant_product' ? share(row.burnPercent, 100) : null;
    const ours = positive(isA ? row.mintAmountA : row.mintAmountB);
    // Each side of a constant-product pool has half of its value, which gives the token's price.
    const priceUsd = kind === 'constant_product' && tvl !== null && tvl > 0 && ours !== null ? tvl / 2 / ours : null;
    if (burned !== null && tvl !== null) {
      standard += tvl;
      locked += (tvl * (num(row.burnPercent) ?? 0)) / 100;
    }
    drafts.push(
      ...poolObservations({
        chain: 'solana',
        asset: params.address,
        address: row.id,
        dex: 'raydium',
        kind,
        counter,
        priceUsd,
        liquidityUsd: tvl,
        volumeUsd: fair ? amount(row.day?.volume) : null,
        quoteReserveUsd: kind === 'constant_product' && tvl !== null ? tvl / 2 : null,
        feeRate: feeRate(row.feeRate, 1),
        createdAt: date(num(row.openTime)),
        burnedShare: burned,
      }),
    );
  }
  if (standard > 0)
    drafts.push(
      ...observed('lp_burned_share', locked / standard, { meaning: 'burned LP of its standard pools, by value' }),
    );
  return drafts;
}

export const raydium = defineSource({
  name: 'raydium',
  title: 'Raydium',
  doc: 'https://api-v3.raydium.io/docs/',
  family: 'venue',
  tier: 'venue',
  reliability: 0.95,
  bases: { main: 'https://api-v3.raydium.io' },
  terms: {
    attribution: { text: 'Pool data by Raydium', url: 'https://raydium.io' },
    redistribute: true,
    keepBodyDays: 90,
    note: 'no API licence found in the documents read',
  },
  budget: { perMinute: 120, burst: 6, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: ['solana'],
  provides: { market: 10, pools: 4, holdings: 11, liquidity_locks: 3 },
  endpoints: [
    endpoint({
      name: 'pools_by_mint',
      doc: '/pools/info/mint: pools of a mint by liquidity',
      critical: true,
      plan: onSolana,
      request: get('/pools/info/mint', {
        mint1: '{address}',
        poolType: 'all',
        poolSortField: 'liquidity',
        sortType: 'desc',
        pageSize: 100,
        page: 1,
      }),
      reply: Pools,
      classify: (reply) =>
        reply.success
          ? { outcome: (reply.data?.data.length ?? 0) === 0 ? 'empty' : 'ok' }
          : { outcome: 'error_reply', detail: reply.msg ?? 'success is false' },
      observe,
    }),
  ],
});
