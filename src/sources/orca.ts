import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { feeRate, poolObservations } from './observations.ts';
import { onSolana } from './plans.ts';
import { amount, LooseOptional, Maybe, Rows } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * Orca v2: its own Whirlpools on Solana, keyless.
 *
 * Lineage: family `venue`. Quirks: numbers are strings; `feeRate` counts hundredths of a basis point (400 = 0.04 %);
 * there is no creation date. Checked: fees = volume x fee in the published example.
 */
const Pool = Type.Object({
  address: Type.String(),
  feeRate: LooseOptional,
  tokenMintA: Type.String(),
  tokenMintB: Type.String(),
  tvlUsdc: LooseOptional,
  stats: Maybe(Type.Record(Type.String(), Type.Unknown())),
});
const Pools = Type.Object({ data: Rows(Pool) });

function observe(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  return partsOf(Pool, reply.data)
    .filter((row) => row.tokenMintA === params.address || row.tokenMintB === params.address)
    .flatMap((row) => {
      const day = (row.stats?.['24h'] ?? {}) as { volume?: unknown };
      return poolObservations({
        chain: 'solana',
        asset: params.address,
        address: row.address,
        dex: 'orca',
        kind: 'concentrated',
        counter: row.tokenMintA === params.address ? row.tokenMintB : row.tokenMintA,
        liquidityUsd: amount(row.tvlUsdc),
        volumeUsd: amount(day.volume),
        feeRate: feeRate(row.feeRate, 1e6),
      });
    });
}

export const orca = defineSource({
  name: 'orca',
  title: 'Orca',
  doc: 'https://api.orca.so/docs',
  family: 'venue',
  tier: 'venue',
  reliability: 0.95,
  bases: { main: 'https://api.orca.so/v2/solana' },
  terms: {
    attribution: { text: 'Pool data by Orca', url: 'https://www.orca.so' },
    redistribute: true,
    keepBodyDays: 90,
    note: 'no API licence found in the documents read',
  },
  budget: { perMinute: 60, burst: 4, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: ['solana'],
  provides: { market: 11, pools: 5, holdings: 12 },
  endpoints: [
    endpoint({
      name: 'pools_by_token',
      doc: '/pools?token=: Whirlpools of a mint by value',
      plan: onSolana,
      request: get('/pools', { token: '{address}', stats: '24h', size: 50, sortBy: 'tvl', sortDirection: 'desc' }),
      reply: Pools,
      classify: (reply) => ({ outcome: reply.data.length === 0 ? 'empty' : 'ok' }),
      observe,
    }),
  ],
});
