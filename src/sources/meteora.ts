import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { feeRate, observed, poolObservations } from './observations.ts';
import { onSolana } from './plans.ts';
import { amount, date, FlagOptional, fields, LooseOptional, Maybe, num, positive, Rows } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * Meteora: its own pools on Solana, DLMM (bins) and DAMM v2, keyless.
 *
 * Lineage: family `venue`. Limits: 30 and 10 a second; we make 2. Quirks: `query` also matches text, so rows are filtered by
 * the exact mint; fees are percent (0.1 = 0.1 %); some numbers may be strings; DAMM v2 states permanently locked liquidity.
 */
const Side = Type.Object({
  address: Type.String(),
  holders: LooseOptional,
  price: LooseOptional,
});
const Pool = Type.Object({
  address: Type.String(),
  ...fields(LooseOptional, 'created_at', 'tvl', 'current_price'),
  pool_config: Maybe(Type.Object({ base_fee_pct: LooseOptional })),
  volume: Maybe(Type.Record(Type.String(), Type.Unknown())),
  token_x: Side,
  token_y: Side,
  token_x_amount: LooseOptional,
  token_y_amount: LooseOptional,
  is_blacklisted: FlagOptional,
});
const Pools = Type.Object({ data: Rows(Pool) });

function observe(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const rows = partsOf(Pool, reply.data).filter(
    (row) =>
      (row.token_x.address === params.address || row.token_y.address === params.address) && row.is_blacklisted !== true,
  );
  const drafts = rows.flatMap((row) => {
    const isX = row.token_x.address === params.address;
    const theirs = isX ? row.token_y : row.token_x;
    const theirAmount = amount(isX ? row.token_y_amount : row.token_x_amount);
    const theirPrice = positive(theirs.price);
    // `price` of a side is the token's price over all markets. The pool's price is its ratio (y per x) times the other side's price.
    const ratio = positive(row.current_price);
    const priceUsd = ratio === null || theirPrice === null ? null : isX ? theirPrice * ratio : theirPrice / ratio;
    return poolObservations({
      chain: 'solana',
      asset: params.address,
      address: row.address,
      dex: 'meteora',
      kind: params.base === 'damm_v2' ? 'concentrated' : 'bins',
      counter: theirs.address,
      priceUsd,
      liquidityUsd: amount(row.tvl),
      volumeUsd: amount(row.volume?.['24h']),
      quoteReserveUsd: theirAmount !== null && theirPrice !== null ? theirAmount * theirPrice : null,
      feeRate: feeRate(row.pool_config?.base_fee_pct, 100),
      createdAt: date(num(row.created_at)),
    });
  });
  const first = rows[0];
  const ours = first ? (first.token_x.address === params.address ? first.token_x : first.token_y) : null;
  return [...drafts, ...observed('holder_count', positive(ours?.holders), { meaning: 'as Meteora lists it' })];
}

export const meteora = defineSource({
  name: 'meteora',
  title: 'Meteora',
  doc: 'https://docs.meteora.ag',
  family: 'venue',
  tier: 'venue',
  reliability: 0.95,
  bases: { main: 'https://dlmm.datapi.meteora.ag', damm_v2: 'https://damm-v2.datapi.meteora.ag' },
  terms: {
    attribution: { text: 'Pool data by Meteora', url: 'https://www.meteora.ag' },
    redistribute: true,
    keepBodyDays: 90,
    note: 'no API licence found in the documents read',
  },
  budget: { perMinute: 120, burst: 6, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: ['solana'],
  provides: { market: 12, pools: 6, holdings: 13 },
  endpoints: [
    endpoint({
      name: 'pools',
      doc: '/pools?query={mint} of DLMM and DAMM v2, exact mint only',
      plan: (facts) => onSolana(facts).flatMap((params) => ['main', 'damm_v2'].map((base) => ({ ...params, base }))),
      request: get('/pools', { query: '{address}', page: 1, page_size: 100, sort_by: 'tvl:desc' }, { base: '{base}' }),
      reply: Pools,
      classify: (reply) => ({ outcome: reply.data.length === 0 ? 'empty' : 'ok' }),
      observe,
    }),
  ],
});
