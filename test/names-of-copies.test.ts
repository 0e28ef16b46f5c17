import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Asset } from '../src/domain/asset.ts';
import { NO_KEYS } from '../src/domain/index.ts';
import { createNamesakes } from '../src/identity/namesakes.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const START = '2026-11-20T12:34:56.000Z';
const THEN = '2026-11-20T12:00:00.000Z';
const COPY = solanaAsset('So11111111111111111111111111111111111111112', 'USDC');
const BRIDGED = evmAsset(56, 'bsc', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', 'USDC');
const REAL = evmAsset(1, 'ethereum', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC');
const LISTED = solanaAsset('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'QZXV');
const TWIN = solanaAsset('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'QZXV');
const ALONE = { ...solanaAsset('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'ZZTOP9'), name: 'Nobody Lists It' };
let world: RatingWorld;

/** The registries' list of all tokens; null: it is not available. */
let listed: readonly TokenRow[] | null = null;
type TokenRow = { id: string; symbol: string; name: string; platforms: Readonly<Record<string, string>> };

before(async () => {
  world = await ratingWorld(START, {}, undefined, {
    namesakes: (...asked) =>
      createNamesakes(
        async (_source, endpoint) => (endpoint === 'coins_list' ? listed : null),
        () => 0,
        0,
      )(...asked),
  });
});
after(() => world.close());

/** Publishes a rating of an asset that the registry of coins lists under an id, or that none lists. */
async function rate(
  asset: Asset,
  coingeckoId: string | null,
  marketCapUsd: number,
  cmcId: string | null = null,
): Promise<void> {
  await world.put(ratingOf(asset, THEN, { marketCapUsd }), { record: { keys: { ...NO_KEYS, coingeckoId, cmcId } } });
  world.clock.now += 6_000;
}

async function read(text: string) {
  const reply = await world.get(`/v1/rms/${encodeURIComponent(text)}`);
  const body = (await reply.json()) as {
    readonly asset?: { readonly id: string };
    readonly code?: string;
    readonly detail?: string;
    readonly candidates?: readonly { readonly id: string }[];
  };
  return {
    status: reply.status,
    id: body.asset?.id,
    code: body.code,
    detail: body.detail,
    candidates: body.candidates?.map(({ id }) => id),
  };
}

test('a copy that is rated first does not answer for a symbol of the registers, and not beside the original either', async () => {
  await rate(COPY, null, 9e12);
  const alone = await read('USDC');
  assert.deepEqual([alone.status, alone.code, alone.candidates], [409, 'ambiguous_asset', [COPY.id]]);
  assert.match(alone.detail ?? '', /anybody can give a token any name/);
  assert.equal((await read('usd coin')).status, 404);
  await rate(BRIDGED, 'binance-bridged-usdc-bnb-smart-chain', 1e9);
  assert.equal((await read('usdc')).status, 409, 'a bridged one is not the original');
  await rate(REAL, 'usd-coin', 7e10);
  assert.deepEqual([(await read('USDC')).id, (await read('usdc')).id], [REAL.id, REAL.id]);
  assert.equal((await read(COPY.id)).id, COPY.id, 'by its id the copy is read');
});

test('a symbol that no register has is that of the only rated asset that registries list', async () => {
  await rate(TWIN, null, 9e12);
  assert.deepEqual((await read('QZXV')).candidates, [TWIN.id]);
  await rate(LISTED, 'qzxv', 1_000, '77');
  assert.equal((await read('QZXV')).id, LISTED.id);
});

test('an asset that is rated first does not answer for a symbol that registries list another one under', async () => {
  const first = solanaAsset('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'WXQJ');
  const name = 'Not Rated Here';
  listed = [
    { id: 'wxqj', symbol: 'wxqj', name: 'WXQJ', platforms: { solana: first.address ?? '' } },
    { id: 'wxqj-2', symbol: 'wxqj', name, platforms: { ethereum: `0x${'7'.repeat(40)}` } },
  ];
  await rate(first, 'wxqj', 1_000, '78');
  const refused = await read('WXQJ');
  assert.deepEqual([refused.status, refused.code, refused.candidates], [409, 'ambiguous_asset', [first.id]]);
  assert.match(refused.detail ?? '', /registries list another one under it/);
  listed = listed.slice(0, 1);
  world.clock.now += 6_000;
  assert.equal((await read('WXQJ')).id, first.id);
  listed = null;
});

test('where the lists are not available, one registry alone does not make an asset the one of its symbol', async () => {
  const alone = solanaAsset('9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E', 'WXQK');
  await rate(alone, 'wxqk', 1_000);
  assert.deepEqual((await read('WXQK')).candidates, [alone.id]);
  await rate(alone, 'wxqk', 1_000, '79');
  assert.equal((await read('WXQK')).id, alone.id);
});

test('an asset that nobody lists is read by id and address, not by its symbol or its name', async () => {
  await rate(ALONE, null, 5_000);
  for (const text of ['ZZTOP9', 'nobody lists it']) assert.deepEqual((await read(text)).candidates, [ALONE.id], text);
  for (const text of [ALONE.id, ALONE.address ?? '']) assert.equal((await read(text)).id, ALONE.id, text);
});

test('batches take no such name either', async () => {
  const batch = await world.get('/v1/rms/batch', { method: 'POST', body: { assets: ['ZZTOP9', 'USDC'] } });
  const rows = (await batch.json()) as readonly {
    readonly error?: { readonly code: string };
    readonly asset?: { readonly id: string };
  }[];
  assert.deepEqual(
    rows.map((row) => row.error?.code ?? row.asset?.id),
    ['ambiguous_asset', REAL.id],
  );
});

test('policies and public pages say why one asset of a name is not taken for it', async () => {
  const body = { asset: 'ZZTOP9', amount_usd: 1_000, preset: 'treasury' };
  const checked = await (await world.get('/v1/policy/check', { method: 'POST', body })).text();
  assert.match(
    checked,
    /The name alone does not identify an asset: registries list another one of this name too, or too few of them list /,
  );
  const page = await world.get('/public/ZZTOP9', { headers: { accept: 'text/html' } });
  assert.equal(page.status, 409);
  assert.match(await page.text(), /Anybody can give a token any name/);
});
