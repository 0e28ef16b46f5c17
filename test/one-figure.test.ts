import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createWorld } from '../sandbox/world/world.ts';
import { assetId, findChain } from '../src/chains/index.ts';
import { breakdownView } from '../src/contract/breakdown.ts';
import type { HoldersSnapshot, MarketSnapshot, PoolsSnapshot } from '../src/contract/index.ts';
import type { Asset } from '../src/domain/asset.ts';
import { consensusKey } from '../src/domain/consensus.ts';
import { poolScope } from '../src/domain/venue-scopes.ts';
import { ndjson } from '../src/exports/forms.ts';
import { CHAIN_COLUMNS, chainRows } from '../src/exports/rows.ts';
import { type ChainWorld, chainWorld } from './support/chain-world.ts';
import { type EvidenceSnapshots, snapshotsOf } from './support/evidence-snapshots.ts';
import { rateInSandbox } from './support/sandbox-rating.ts';

/**
 * One moment, one figure (docs/decisions/0029-one-definition-per-metric.md): the rating of an asset, and the snapshots of the same
 * observations as they are served, shown by the dashboard, exported and told over MCP, publish the same numbers.
 */
const AS_OF = '2026-06-01T12:00:00.000Z';
interface Said {
  readonly asset: Asset;
  readonly made: EvidenceSnapshots;
  /** Raw values of features by id, as the breakdown shows them. */
  readonly rating: ReadonlyMap<string, number>;
  readonly served: {
    readonly market: MarketSnapshot;
    readonly pools: PoolsSnapshot;
    readonly holders: HoldersSnapshot | null;
  };
  readonly exported: Readonly<Record<string, number | null>>;
  readonly told: { readonly holders: Told | null; readonly pools: Told };
}
type Told = Readonly<Record<string, never>> & {
  readonly adjusted: { readonly top_1_pct: number | null; readonly top_10_pct: number | null };
  readonly raw: { readonly top_10_pct: number | null };
  readonly depth: PoolsSnapshot['depth'];
};

let world: ChainWorld;
let client: Client;
const said: Said[] = [];

before(async () => {
  world = await chainWorld(AS_OF);
  const key = await world.key('INTERNAL');
  client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', world.url), {
    requestInit: { headers: { 'x-api-key': key } },
  });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  for (const { slug, chain, address, name, symbol } of createWorld({ seed: 1, anchor: Date.parse(AS_OF) }).assets) {
    const known = chain === null ? null : findChain(chain);
    if (known === null || address === null || address === 'native') continue;
    const id = assetId(known, address);
    said.push(await sayAll(slug, { id, chain: known.name, address, symbol, name, category: null, website: null }));
  }
});
after(async () => {
  await client?.close();
  await world?.close();
});

async function sayAll(slug: string, asset: Asset): Promise<Said> {
  const { rating, observations } = rateInSandbox(slug);
  const made = await snapshotsOf(asset, observations, AS_OF);
  world.reader.assets.push(asset);
  for (const snapshot of [made.market, made.pools, made.holders]) if (snapshot) world.reader.put(snapshot);
  const path = `/v1/${asset.chain}`;
  const { address } = asset;
  const breakdown = breakdownView(
    { rating, consensus: made.consensus, evidence: { asOf: AS_OF } } as Parameters<typeof breakdownView>[0],
    { score: null, asset: {} } as Parameters<typeof breakdownView>[1],
  );
  return {
    asset,
    made,
    rating: new Map(
      breakdown.factors
        .flatMap((factor) => factor.features)
        .flatMap(({ id, value }) => (typeof value === 'number' ? [[id, value] as const] : [])),
    ),
    served: {
      market: await get<MarketSnapshot>(`${path}/market/${address}/snapshot`),
      pools: await get<PoolsSnapshot>(`${path}/${address}/liquidity/pools`),
      holders: made.holders && (await get<HoldersSnapshot>(`${path}/${address}/holders/snapshot`)),
    },
    exported: await exportOf(made),
    told: {
      holders: made.holders && (await tell('get_holders', asset)),
      pools: await tell('get_pools', asset),
    },
  };
}

/** What the dashboard reads as well: the same paths (web/src/asset). */
async function get<Body>(path: string): Promise<Body> {
  const reply = await world.get(path);
  assert.equal(reply.status, 200, path);
  return (await reply.json()) as Body;
}

async function exportOf({ market, pools, holders }: EvidenceSnapshots): Promise<Said['exported']> {
  const bytes = (snapshot: object | null) => (snapshot === null ? null : Buffer.from(JSON.stringify(snapshot)));
  async function* stored() {
    yield { assetId: market.asset.id, market: bytes(market), holders: bytes(holders), pools: bytes(pools) };
  }
  for await (const row of chainRows('2026-06-01', stored()))
    return JSON.parse(ndjson(CHAIN_COLUMNS).row(row, 0)) as Said['exported'];
  throw new Error('no row');
}

async function tell(tool: string, { chain, address }: Asset): Promise<Told> {
  const result = await client.callTool({ name: tool, arguments: { chain, asset: address } });
  assert.ok(result.isError !== true, JSON.stringify(result.content).slice(0, 300));
  return result.structuredContent as Told;
}

/** All that is known is the same number; what nobody publishes here is not compared. Returns how many said it. */
function same(what: string, { asset }: Said, figures: readonly (number | null | undefined)[]): number {
  const known = figures.filter((figure) => typeof figure === 'number');
  for (const figure of known) {
    const off = Math.abs(figure - (known[0] ?? 0));
    assert.ok(off <= 1e-9 * Math.max(1, Math.abs(figure)), `${what} of ${asset.name}: ${known.join(' and ')}`);
  }
  return known.length;
}

const percentOf = (fraction: number | undefined) => (fraction === undefined ? null : fraction * 100);

for (const [feature, top, column, least] of [
  // Only launches are rated by their largest holder.
  ['hd_top1', 'top_1_pct', 'adjusted_top_1_pct', 15],
  ['hd_top10', 'top_10_pct', 'adjusted_top_10_pct', 40],
] as const)
  test(`${feature}: adjusted concentration is one figure in rating, snapshot, dashboard, export and MCP`, () => {
    const compared = said.filter((row) => {
      const { rating, served, exported, told } = row;
      const published = served.holders?.adjusted[top];
      return (
        same(`${feature}/${top}`, row, [
          percentOf(rating.get(feature)),
          published,
          exported[column],
          told.holders?.adjusted[top],
        ]) === 4
      );
    });
    assert.ok(compared.length >= least, `${compared.length} of ${said.length} assets say it everywhere`);
  });

test('raw concentration is one figure in snapshot, dashboard, export and MCP', () => {
  for (const row of said) {
    const { served, exported, told } = row;
    same('raw top ten', row, [served.holders?.raw.top_10_pct, exported.top_10_pct, told.holders?.raw.top_10_pct]);
  }
});

test('the dispersion of prices is one figure in rating, snapshot, dashboard and export', () => {
  const compared = said.filter(
    (row) =>
      same('dispersion', row, [
        percentOf(row.rating.get('mq_disp')),
        row.served.market.price_dispersion_pct,
        row.exported.price_dispersion_pct,
      ]) === 3,
  );
  assert.ok(compared.length >= 15, `${compared.length} of ${said.length}`);
});

test('depth is one figure: that of the pools as they are served, with the order books of the evidence', () => {
  const compared = said.filter((row) => {
    const at2 = (depth: PoolsSnapshot['depth']) => depth.find((step) => step.move_pct === 2);
    const pools = at2(row.served.pools.depth);
    const books = (side: 'up' | 'down') =>
      Object.values(row.made.consensus).reduce(
        (sum, { quantity, value }) =>
          quantity === `venue_depth_${side}_2pct_usd` && typeof value === 'number' ? sum + value : sum,
        0,
      );
    const sides = [(pools?.up_usd ?? 0) + books('up'), (pools?.down_usd ?? 0) + books('down')];
    assert.deepEqual(
      [row.exported.depth_2pct_up_usd, row.exported.depth_2pct_down_usd, at2(row.told.pools.depth)],
      [pools?.up_usd ?? null, pools?.down_usd ?? null, pools],
    );
    // Of a launch the rating leaves out what its creator can withdraw, alone or (1.9.0) with one wallet without a name.
    const [creator = 0, wallet = 0] = (['lp_creator_share', 'lp_wallet_share'] as const).map((quantity) => {
      const share = row.made.consensus[quantity]?.value;
      return typeof share === 'number' ? share : 0;
    });
    const rated = row.rating.get('mq_depth2');
    const less = [creator, Math.min(1, creator + wallet)]
      .map((share) => Math.min(...sides) * (1 - share) * facedShare(row))
      .find((left) => typeof rated === 'number' && Math.abs(rated - left) <= 1e-9 * Math.max(1, left));
    return same('depth', row, [rated, less ?? Math.min(...sides)]) === 2 && pools !== undefined;
  });
  assert.ok(compared.length >= 40, `${compared.length} of ${said.length}`);
});

test('effective venues follow from the venues as they are served', () => {
  const compared = said.filter((row) => {
    const volumes = new Map<string, number>();
    for (const { venue, volume_24h_usd: volume } of row.served.market.venues) {
      // A centralised market is `<exchange>:<base>-<quote>`, a pool `<dex> <address>`.
      const place = venue.includes(' ') ? venue : (venue.split(':')[0] ?? venue);
      if (volume !== null && volume > 0) volumes.set(place, (volumes.get(place) ?? 0) + volume);
    }
    const total = [...volumes.values()].reduce((sum, volume) => sum + volume, 0);
    const squares = [...volumes.values()].reduce((sum, volume) => sum + (volume / total) ** 2, 0);
    return same('effective venues', row, [row.rating.get('mq_venues'), total > 0 ? 1 / squares : null]) === 2;
  });
  assert.ok(compared.length >= 15, `${compared.length} of ${said.length}`);
});

test('liquidity is one figure, and the volume of a rating is that of the snapshot less its wash share', () => {
  for (const row of said) {
    const { market, pools } = row.served;
    same('liquidity', row, [market.liquidity_usd, row.exported.liquidity_usd]);
    for (const pool of pools.pools) {
      const told = row.made.consensus[consensusKey('pool_liquidity_usd', poolScope(pool.address))]?.value;
      if (typeof told !== 'number' || pool.tvl_usd === null) continue;
      if (!pool.verified) same('value of a pool', row, [told, pool.tvl_usd]);
      // What the chain holds is not what indexers tell of it to the cent; further apart, the snapshot tells a conflict.
      else
        assert.ok(
          Math.abs(Math.log(told / pool.tvl_usd)) < Math.log(1.25),
          `${pool.address}: ${told}, ${pool.tvl_usd}`,
        );
    }
    const [organic, wash] = [row.rating.get('mq_vol'), row.rating.get('mq_wash') ?? 0];
    if (organic === undefined) continue;
    const whole = (market.volume_24h_usd ?? 0) * (1 - wash);
    const least = leastFaced(row);
    if (least === 1) same('organic volume', row, [organic, whole]);
    else assert.ok(organic >= whole * least * (1 - 1e-9) && organic <= whole, `organic volume of ${row.asset.name}`);
  }
});

/** The least that the rating of a launch may count of its volume and depth: sales over purchases (1.8.0). */
function leastFaced({ made }: Said): number {
  const [buys, sells] = (['buys_24h', 'sells_24h'] as const).map(
    (quantity) => made.consensus[consensusKey(quantity)]?.value,
  );
  return typeof buys === 'number' && typeof sells === 'number' && sells < buys ? sells / buys : 1;
}

/** What the rating counts of the volume: the same part of the depth counts. */
function facedShare(row: Said): number {
  const organic = row.rating.get('mq_vol');
  const whole = (row.served.market.volume_24h_usd ?? 0) * (1 - (row.rating.get('mq_wash') ?? 0));
  return leastFaced(row) === 1 || organic === undefined || whole === 0 ? 1 : organic / whole;
}
