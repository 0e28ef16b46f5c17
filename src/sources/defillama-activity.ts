import Type, { type Static } from 'typebox';
import { chainCalled, findChain } from '../chains/index.ts';
import type { Json, ObservationDraft } from '../domain/index.ts';
import { overviewRows } from './defillama-overviews.ts';
import { observed } from './observations.ts';
import { byKey } from './plans.ts';
import { amount, fieldsOf, listIn, num, text, textsIn } from './read.ts';
import { get } from './requests.ts';
import { completeList, defineSource, type Facts, type Params, sharedList } from './source.ts';

/**
 * DefiLlama's lists of activity of protocols, chains and tokens: swaps, bridge transfers, and deposits with a yield.
 *
 * Lineage: DefiLlama's own adapters; family `defillama`. No feature reads it, so it is off by default. It consists of three lists for all
 * assets, fetched when a score reads them. Limits: those of DefiLlama, of which it uses 6 a minute. `/overview/dexs` and `/pools` are in the free
 * specification (DefiLlama/api-docs@3a45e4e, 2026-07-29). Bridges have since moved to the paid specification, though clients still use the keyless host;
 * if it rejects requests, an operator can set the base `bridges` to a paid address. Quirks: a DEX has one row for each version, under a parent; volumes by
 * chain use the chain names of the adapters; a yield row has the address of the deposited token but only the symbol of the receipt, so receipts are not found.
 */
const Dexs = Type.Object({ protocols: Type.Array(Type.Unknown()) });
const Bridges = Type.Object({ bridges: Type.Array(Type.Unknown()) });
const Pools = Type.Object({ data: Type.Array(Type.Unknown()) });

const rowsOf = (reply: unknown, field: string): readonly Json[] => listIn(fieldsOf(reply)[field]);

/** Swap volume of 30 days: of protocols and parents by slug, then of all DEXs on each supported chain. */
interface Swapped {
  readonly ofProtocol: string | null;
  readonly ofChain: string | null;
  readonly total30d: number;
}

export function swappedIn(reply: unknown): readonly Swapped[] {
  const chains = new Map<string, number>();
  for (const row of rowsOf(reply, 'protocols'))
    for (const [name, parts] of Object.entries(fieldsOf(fieldsOf(row).breakdown30d))) {
      const chain = chainCalled('defillama', name)?.name;
      const value = Object.values(fieldsOf(parts)).reduce<number>((sum, part) => sum + (amount(part) ?? 0), 0);
      if (chain !== undefined && value > 0) chains.set(chain, (chains.get(chain) ?? 0) + value);
    }
  return [
    ...overviewRows(reply).map(({ slug, total30d }) => ({ ofProtocol: slug, ofChain: null, total30d })),
    ...[...chains].map(([chain, total30d]) => ({ ofProtocol: null, ofChain: chain, total30d })),
  ];
}

interface Deposits {
  readonly place: string;
  readonly pools: readonly { readonly pool: string; readonly tvlUsd: number; readonly apyPct: number | null }[];
}

/** The smallest pool in the provider's default list. */
const LEAST_USD = 10_000;
const MOST_POOLS = 60_000;
const NATIVE = '0x0000000000000000000000000000000000000000';

/** Single-token pools by deposited token, without marked outliers and small pools. */
export function depositsIn(reply: unknown): readonly Deposits[] {
  const places = new Map<string, Deposits['pools'][number][]>();
  for (const value of rowsOf(reply, 'data').slice(0, MOST_POOLS)) {
    const row = fieldsOf(value);
    const [token, ...others] = [...new Set(textsIn(row.underlyingTokens).map((one) => one.toLowerCase()))];
    const chain = findChain(text(row.chain, 40) ?? '');
    const [pool, tvlUsd] = [text(row.pool, 80), amount(row.tvlUsd)];
    const isAlone = row.exposure === 'single' && token !== undefined && others.length === 0;
    if (chain === null || !isAlone || pool === null || tvlUsd === null || row.outlier === true || tvlUsd < LEAST_USD)
      continue;
    // Only EVM addresses are case-insensitive.
    const address = chain.kind === 'evm' ? token : (textsIn(row.underlyingTokens)[0] ?? token);
    const place = `${chain.name}:${address === NATIVE ? 'native' : address}`;
    places.set(place, [...(places.get(place) ?? []), { pool, tvlUsd, apyPct: num(row.apy) }]);
  }
  return [...places].map(([place, pools]) => ({ place, pools }));
}

const keptPools = (value: unknown): Deposits['pools'] =>
  rowsOf(value, 'pools').flatMap((one) => {
    const { pool, tvlUsd, apyPct } = fieldsOf(one);
    const [id, usd] = [text(pool, 80), amount(tvlUsd)];
    return id === null || usd === null ? [] : [{ pool: id, tvlUsd: usd, apyPct: num(apyPct) }];
  });

function observeDeposits(reply: Static<typeof Pools>, params: Params): readonly ObservationDraft[] {
  const place = placeOf(params);
  // The shared list has one row for each token; the whole reply has the provider's rows.
  const kept = reply.data.find((row) => fieldsOf(row).place === place);
  const pools = kept === undefined ? depositsIn(reply).find((row) => row.place === place)?.pools : keptPools(kept);
  if (pools === undefined || pools.length === 0) return [];
  const tvl = pools.reduce((sum, row) => sum + row.tvlUsd, 0);
  const stated = pools.filter(({ apyPct }) => apyPct !== null);
  const weight = stated.reduce((sum, row) => sum + row.tvlUsd, 0);
  const apy = stated.reduce((sum, row) => sum + ((row.apyPct ?? 0) * row.tvlUsd) / weight, 0) / 100;
  const of = `${pools.length} pools that take this token alone`;
  return [
    ...observed('yield_deposits_usd', tvl, of),
    ...observed('yield_apy', weight > 0 ? apy : null, `${of}, by value, rewards included`),
  ];
}

const placeOf = ({ chain, address }: Params) =>
  typeof chain === 'string' && typeof address === 'string' ? `${chain}:${address}` : null;

/** Params of the asset's protocol, or of the chain whose own coin the asset is. */
function swapper({ keys, chain, address }: Facts): readonly Params[] {
  if (keys.defillamaSlug !== null) return [{ slug: keys.defillamaSlug }];
  return chain !== null && address === 'native' ? [{ chain: chain.name }] : [];
}

const keyOfSwapper = ({ slug, chain }: Params) =>
  typeof slug === 'string' ? `protocol:${slug}` : typeof chain === 'string' ? `chain:${chain}` : null;
const keysOfSwapped = (value: unknown) => {
  const { ofProtocol, ofChain } = value as Swapped;
  return [ofProtocol === null ? `chain:${ofChain}` : `protocol:${ofProtocol}`];
};

function observeSwaps(reply: Static<typeof Dexs>, params: Params): readonly ObservationDraft[] {
  const isProtocol = typeof params.slug === 'string';
  // The shared list has rows of type `Swapped`; the whole reply has the provider's rows.
  const isKept = reply.protocols.some((row) => Object.hasOwn(fieldsOf(row), 'ofProtocol'));
  const rows = isKept ? (reply.protocols as readonly Swapped[]) : swappedIn(reply);
  const found = rows.find((row) => (isProtocol ? row.ofProtocol === params.slug : row.ofChain === params.chain));
  const meaning = isProtocol
    ? 'swapped on the protocol, 30 calendar days'
    : 'swapped on the DEXs of the chain, 30 days';
  return observed('dex_volume_30d_usd', amount(found?.total30d), meaning);
}

const HOUR = 3_600;
const MIB = 1024 * 1024;

export const defillamaActivity = defineSource({
  name: 'defillama_activity',
  title: 'DefiLlama’s volumes and yields',
  doc: 'https://api-docs.defillama.com',
  family: 'defillama',
  tier: 'aggregator',
  reliability: 0.8,
  disabledReason: 'no feature uses it: volumes of DEXs and bridges, and yields, are shown as evidence only',
  bases: { main: 'https://api.llama.fi', bridges: 'https://bridges.llama.fi', yields: 'https://yields.llama.fi' },
  terms: {
    attribution: { text: 'Data by DefiLlama', url: 'https://defillama.com' },
    redistribute: true,
    keepBodyDays: 30,
    note: 'no terms of use found; credited as source',
  },
  budget: { perMinute: 6, burst: 3, concurrency: 2, shareSeconds: HOUR },
  timeoutMs: 10_000,
  endpoints: [
    ...sharedList(
      {
        name: 'all_dexs',
        doc: '/overview/dexs without charts: what each DEX swapped in 30 days, shared by all jobs',
        ...completeList('protocols', {
          refreshSeconds: HOUR,
          rowsOf: swappedIn,
          keysOf: keysOfSwapped,
          keyOf: keyOfSwapper,
        }),
      },
      {
        name: 'dexs',
        doc: '/overview/dexs: the whole list again if the shared one could not be fetched (fields: api-docs@3a45e4e; breakdown30d as public clients type it)',
        maxBytes: 32 * MIB,
        plan: swapper,
        request: get('/overview/dexs', { excludeTotalDataChart: true, excludeTotalDataChartBreakdown: true }),
        reply: Dexs,
        observe: observeSwaps,
      },
    ),
    ...sharedList(
      {
        name: 'all_bridges',
        doc: '/bridges on bridges.llama.fi: what each bridge moved in 30 days, shared by all jobs',
        ...completeList('bridges', {
          refreshSeconds: HOUR,
          rowsOf: (reply) => rowsOf(reply, 'bridges'),
          keysOf: (row) => [text(fieldsOf(row).slug, 120)].filter((slug) => slug !== null),
          keyOf: ({ slug }) => (typeof slug === 'string' ? slug : null),
        }),
      },
      {
        name: 'bridges',
        doc: '/bridges: the whole list again if the shared one could not be fetched (fields and arithmetic: DefiLlama/bridges-server@2ad9ba2 src/handlers/getBridges.ts)',
        maxBytes: 8 * MIB,
        plan: byKey('defillamaSlug', 'slug'),
        request: get('/bridges', { includeChains: true }, { base: 'bridges' }),
        reply: Bridges,
        // A bridge with a stalled adapter also has 0.
        observe: (reply, { slug }) => {
          const month = amount(fieldsOf(reply.bridges.find((row) => fieldsOf(row).slug === slug)).monthlyVolume);
          return observed(
            'bridge_volume_30d_usd',
            month === 0 ? null : month,
            'moved over the bridge in 30 days: half of what was paid in and out',
          );
        },
      },
    ),
    ...sharedList(
      {
        name: 'all_pools',
        doc: '/pools on yields.llama.fi: value and yield of each pool, kept by the token that is deposited; shared by all jobs',
        ...completeList('data', {
          refreshSeconds: HOUR,
          rowsOf: depositsIn,
          keysOf: (row) => [(row as Deposits).place],
          keyOf: placeOf,
        }),
      },
      {
        name: 'pools',
        doc: '/pools: the whole list again if the shared one could not be fetched (five recorded rows of 2025)',
        maxBytes: 48 * MIB,
        plan: ({ chain, address }) => (chain === null || address === null ? [] : [{ chain: chain.name, address }]),
        request: get('/pools', undefined, { base: 'yields' }),
        reply: Pools,
        observe: observeDeposits,
      },
    ),
  ],
});
