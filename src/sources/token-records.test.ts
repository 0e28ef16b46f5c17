import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCES } from './index.ts';
import type { Params } from './source.ts';
import { recordsOf } from './token-records.ts';

const A = '0x00000000000000000000000000000000000000a1';
const SOL = 'So11111111111111111111111111111111111111112';

function read(name: string, endpointName: string, reply: unknown, params: Params = {}) {
  const source = SOURCES.find((row) => row.name === name);
  const endpoint = source?.endpoints.find((row) => row.name === endpointName);
  assert.ok(source && endpoint, `${name}.${endpointName}`);
  return recordsOf(source, endpoint, reply, params, 'r1');
}

test('CoinGecko: a coin with its places, websites, handles and repositories', () => {
  const [record] = read('coingecko', 'coin', {
    id: 'fernwood',
    symbol: 'fern',
    name: 'Fernwood (Wormhole)',
    asset_platform_id: 'ethereum',
    platforms: { ethereum: A.toUpperCase().replace('0X', '0x'), solana: SOL, elsewhere: 'x', base: null },
    categories: ['DeFi', null],
    genesis_date: '2020-01-02',
    market_cap_rank: '120',
    links: {
      homepage: ['https://www.fernwood.example/', '', 7],
      twitter_screen_name: 'FernWood',
      repos_url: { github: ['https://github.com/fern/contracts', 'https://github.com/fern'] },
    },
  });
  assert.deepEqual(
    { ...record, tvlUsd: undefined, liquidityUsd: undefined },
    {
      source: 'coingecko',
      family: 'coingecko',
      id: 'fernwood',
      curated: true,
      ofProject: false,
      hasToken: true,
      name: 'Fernwood (Wormhole)',
      symbol: 'FERN',
      domains: ['fernwood.example'],
      hosts: ['www.fernwood.example'],
      socials: ['x:fernwood'],
      addresses: [`ethereum:${A}`, `solana:${SOL}`],
      home: 'ethereum',
      nativeOf: null,
      coin: null,
      copy: true,
      rank: 120,
      priceUsd: null,
      repos: ['fern/contracts'],
      categories: ['DeFi'],
      since: '2020-01-02T00:00:00.000Z',
      liquidityUsd: undefined,
      tvlUsd: undefined,
      slug: null,
      ids: {},
      responseId: 'r1',
    },
  );
});

test('CoinMarketCap: only the row of the requested id, whichever of its parts are not objects', () => {
  const reply = {
    status: { error_code: 0 },
    data: {
      '7': { id: 7, name: 'Another', symbol: 'ANO' },
      '101': {
        id: 101,
        name: 'Fernwood',
        symbol: '$fern',
        platform: { slug: 'ethereum', token_address: A },
        contract_address: ['x', { contract_address: SOL, platform: { name: 'Solana' } }],
        urls: { website: ['https://fernwood.example'], source_code: 'x' },
        tags: ['wrapped-tokens'],
      },
    },
  };
  const [record, ...others] = read('coinmarketcap', 'info', reply, { id: '101' });
  assert.equal(others.length, 0);
  assert.deepEqual(record?.addresses, [`ethereum:${A}`, `solana:${SOL}`]);
  assert.deepEqual(
    [record?.symbol, record?.home, record?.copy, record?.hosts],
    ['FERN', 'ethereum', true, ['fernwood.example']],
  );
  assert.deepEqual(read('coinmarketcap', 'info', reply, { id: 'constructor' }), []);
  const mapped = read('coinmarketcap', 'map', {
    status: { error_code: 0 },
    data: [
      { id: 101, name: 'Fernwood', symbol: 'FERN', rank: 9, platform: { name: 'Ethereum', token_address: A } },
      { id: 'x', name: 'No id', symbol: 'FERN' },
    ],
  });
  assert.deepEqual(
    mapped.map((row) => [row.id, row.rank, row.addresses, row.responseId]),
    [['101', 9, [`ethereum:${A}`], null]],
  );
});

test('CoinPaprika: places of all contracts, figures of the ticker', () => {
  const [record] = read('coinpaprika', 'coin', {
    id: 'fern-fernwood',
    name: 'Fernwood',
    symbol: 'FERN',
    rank: 5,
    contracts: [{ platform: 'eth-ethereum', contract: A }, null],
    tags: [{ name: 'DeFi' }, 'x'],
    links: { website: ['https://fernwood.example/'], twitter: ['https://x.com/fernwood'] },
  });
  assert.deepEqual(
    [record?.addresses, record?.rank, record?.categories, record?.socials],
    [[`ethereum:${A}`], 5, ['DeFi', 'x'], ['x:fernwood']],
  );
  const [ticker] = read('coinpaprika', 'tickers', [
    { id: 'eth-ethereum', name: 'Ethereum', symbol: 'ETH', rank: 2, quotes: { USD: { price: 3_000 } } },
  ]);
  assert.deepEqual([ticker?.nativeOf, ticker?.priceUsd, ticker?.rank], ['ethereum', 3_000, 2]);
});

test('DefiLlama: projects with and without a token, named by their parent', () => {
  const rows = [
    {
      name: 'Fern V2',
      slug: 'fern-v2',
      url: 'https://fernwood.example',
      symbol: 'FERN',
      address: A,
      gecko_id: 'fernwood',
      cmcId: '101',
      tvl: 5,
      parentProtocol: 'parent#fern',
    },
    { name: 'Bare', slug: 'bare', url: 'https://bare.example', symbol: '-', address: null, tvl: -1, twitter: 'Bare' },
    { name: 'Shared', slug: 'shared', url: 'https://x.com/shared', symbol: 'S' },
  ];
  const records = read('defillama', 'protocols', rows);
  assert.deepEqual(
    records.map((row) => [
      row.id,
      row.slug,
      row.hasToken,
      row.ofProject,
      row.symbol,
      row.addresses,
      row.ids,
      row.tvlUsd,
      row.socials,
    ]),
    [
      [
        'fern-v2',
        'fern',
        true,
        true,
        'FERN',
        [`ethereum:${A}`],
        { coingecko: 'fernwood', coinmarketcap: '101' },
        5,
        [],
      ],
      ['bare', 'bare', false, true, null, [], {}, 0, ['x:bare']],
    ],
  );
  assert.equal(read('defillama', 'protocols', rows), records, 'records of a list are made once');
});

test('market indexes: one record per token, the liquidity of its pools added up, with no statement of the project', () => {
  const pair = (usd: unknown, pairCreatedAt: number) => ({
    chainId: 'ethereum',
    dexId: 'd',
    pairAddress: 'p',
    baseToken: { address: A, name: 'Fernwood', symbol: 'FERN' },
    quoteToken: {},
    liquidity: { usd },
    pairCreatedAt,
    info: { websites: [{ url: 'https://fernwood.example/' }, null] },
  });
  const [token, ...others] = read('dexscreener', 'search', {
    pairs: [pair(10, 1_700_000_000_000), pair('5', 1_600_000_000_000), { ...pair(1, 1), chainId: 'nowhere' }],
  });
  assert.equal(others.length, 0);
  assert.deepEqual(
    [token?.liquidityUsd, token?.since, token?.domains, token?.curated, token?.responseId],
    [15, '2020-09-13T12:26:40.000Z', ['fernwood.example'], false, null],
  );
  const [pooled] = read('geckoterminal', 'search_pools', {
    data: [
      {
        attributes: { address: 'p', reserve_in_usd: '7' },
        relationships: { base_token: { data: { id: `eth_${A}` } } },
      },
    ],
    included: [null, { id: `eth_${A}`, attributes: { name: 'Fernwood', symbol: 'fern' } }],
  });
  assert.deepEqual([pooled?.addresses, pooled?.symbol, pooled?.liquidityUsd], [[`ethereum:${A}`], 'FERN', 7]);
});

test('a reply of another form gives no record and no exception', () => {
  for (const source of SOURCES)
    for (const endpoint of source.endpoints.filter((row) => row.records !== undefined))
      for (const junk of [null, 1, 'text', {}, [null], { data: 7 }, { coins: 'x', pairs: [null], currencies: [{}] }])
        assert.ok(
          read(source.name, endpoint.name, junk, { id: 'x' }).every((row) => row.name === null),
          `${source.name}.${endpoint.name}`,
        );
});
