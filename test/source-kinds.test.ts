import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { findersOf } from '../src/identity/candidates.ts';
import { SOURCES } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { complaintsOf, tableOf } from './support/forgotten-sources.ts';

const TABLE = new URL('../src/domain/sources-by-kind.json', import.meta.url);
const SRC = new URL('../src/', import.meta.url);
const without = (name: string) => SOURCES.filter((source) => source.name !== name);
const changed = (name: string, change: Partial<Source>) =>
  SOURCES.map((source) => (source.name === name ? { ...source, ...change } : source));

test('the table of sources by kind matches the declarations (UPDATE_DOCS=1 writes it)', () => {
  const made = `${JSON.stringify(tableOf(SOURCES), null, 2)}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(TABLE, made);
  assert.deepEqual(JSON.parse(readFileSync(TABLE, 'utf8')), tableOf(SOURCES));
});

test('all sources are registered, declared, and present in the sandbox', () => {
  assert.deepEqual(complaintsOf(SOURCES), []);
});

for (const { name, provides, registry } of SOURCES) {
  test(`${name}: its absence from the registry is reported`, () => {
    assert.match(complaintsOf(without(name)).join('\n'), new RegExp(`^${name}: `, 'm'));
  });

  for (const kind of Object.keys(provides))
    test(`${name}: a missing declaration of ${kind} is reported`, () => {
      const { [kind as keyof typeof provides]: _gone, ...others } = provides;
      const complaints = complaintsOf(changed(name, { provides: others }));
      assert.ok(
        complaints.some((line) => line.startsWith(`${name}: `) && line.includes(kind)),
        complaints.join('\n'),
      );
    });

  if (registry !== undefined)
    test(`${name}: a registry that identity would not query is reported`, () => {
      const silent = SOURCES.flatMap((source) => {
        const { registry: _gone, ...rest } = source;
        return source.name === name ? [rest] : [source];
      });
      assert.match(complaintsOf(silent).join('\n'), new RegExp(`^${name}: has records and is no registry`, 'm'));
      const ways = (['list', 'name', 'symbol', 'text', 'id', 'address'] as const).flatMap((by) => findersOf(by));
      assert.ok(
        ways.some((way) => way.source === name),
        'identity asks it',
      );
    });
}

test('a source that declares no kind is reported by the quantities it gives', () => {
  const [coingecko] = SOURCES.filter((source) => source.registry?.order === 1);
  assert.ok(coingecko);
  const complaints = complaintsOf(changed(coingecko.name, { provides: {} }));
  assert.ok(
    complaints.includes(`${coingecko.name}: gives price_usd and does not declare market`),
    complaints.join('\n'),
  );
});

/** Names of sources outside `src/sources` that mean something else, or a namespace of values that are kept. */
const ALLOWED: Readonly<Record<string, { readonly names: readonly string[]; readonly why: string }>> = {
  'compose/appeal-dns.ts': {
    names: ['doh'],
    why: 'where records of a domain are asked for: the resolvers set for that source',
  },
  'compose/appeal-repository.ts': {
    names: ['github'],
    why: 'the host of a rated repository: asked at the address, with the token and within the budget set for that source',
  },
  'api/routes/llms.ts': { names: ['registers'], why: 'the name of a document' },
  'api/routes/chain-stream.ts': { names: ['snapshot'], why: 'an event of the stream' },
  'contract/stream.ts': { names: ['snapshot'], why: 'an event of the stream' },
  'contract/market.ts': { names: ['binance'], why: 'an example of a market, in a description' },
  'contract/webhook-message.ts': { names: ['coingecko'], why: 'an example of a source, in an example of an alert' },
  'contract/pools.ts': { names: ['raydium'], why: 'an example of an exchange of pools' },
  'chains/decoders/solana-pools/meteora-damm-v2.ts': { names: ['meteora'], why: 'the exchange that a pool belongs to' },
  'chains/decoders/solana-pools/meteora-dlmm.ts': { names: ['meteora'], why: 'the exchange that a pool belongs to' },
  'chains/decoders/solana-pools/raydium-amm.ts': { names: ['raydium'], why: 'the exchange that a pool belongs to' },
  'chains/decoders/solana-pools/ticked-pools.ts': {
    names: ['orca', 'raydium'],
    why: 'the exchanges that a pool belongs to',
  },
  'disclosure/control.ts': { names: ['website'], why: 'the field of the asset’s identity' },
  'domain/asset.ts': { names: ['website'], why: 'a field of the canonical record' },
  'chains/bsc.ts': { names: ['binance'], why: 'a name of the chain' },
  'chains/ethereum.ts': { names: ['etherscan'], why: 'the host of an explorer' },
  'domain/venues.ts': {
    names: [
      'binance',
      'bitstamp',
      'bybit',
      'coinbase',
      'coingecko',
      'coinmarketcap',
      'coinpaprika',
      'defillama',
      'gateio',
      'kraken',
      'kucoin',
      'meteora',
      'okx',
      'orca',
      'raydium',
    ],
    why: 'the table of exchanges: their ids, and what each registry calls them',
  },
  'evidence/request-once.ts': { names: ['tls'], why: 'the format of a reply' },
  'indexer/runner.ts': { names: ['snapshot'], why: 'a field' },
  'publication/record.ts': { names: ['website'], why: 'a field of the canonical record' },
  'rating/pre-tge/team.ts': { names: ['github'], why: 'people of a tie, `github:<login>`, as archived' },
  'rating/ties.ts': { names: ['github'], why: 'the owner of a tie, `github:<owner>`, as archived' },
  'rating/vfr/panel.ts': { names: ['coingecko', 'coinmarketcap'], why: 'names under which peers are archived' },
  'webhooks/chat-message.ts': { names: ['snapshot'], why: 'a field of an alert' },
  'report/receipts.ts': { names: ['website'], why: 'the label of a line' },
};

test('nothing outside src/sources names a source', () => {
  const names = SOURCES.map((source) => source.name).join('|');
  const literal = new RegExp(`(?<=['"\`])(?:${names})(?=['"\`:.])`, 'g');
  const found = new Map<string, readonly string[]>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    if (file.startsWith('sources/') || file.includes('fixtures/')) continue;
    const code = readFileSync(new URL(file, SRC), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*$/gm, '');
    const named = [...new Set(code.match(literal) ?? [])].sort();
    if (named.length > 0) found.set(file, named);
  }
  const allowed = Object.entries(ALLOWED).map(([file, { names: few }]) => [file, [...few].sort()] as const);
  assert.deepEqual(Object.fromEntries([...found].sort()), Object.fromEntries(allowed));
});
