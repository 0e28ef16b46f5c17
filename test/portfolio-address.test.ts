import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { policyCommand } from '../src/cli/policy.ts';
import { type TestService, testService } from './support/service.ts';

/** A portfolio by the address that holds it: a whole service over the sandbox's nodes. */
let world: TestService;
let holder: string;
const NAMES = ['Tidewell'];
interface Position {
  readonly asset_id: string | null;
  readonly symbol: string | null;
  readonly quantity: number | null;
  readonly value_usd: number | null;
  readonly outcome: string;
  readonly band: string;
}
interface Reply {
  readonly outcome: string;
  readonly value_usd: number;
  readonly positions: readonly Position[];
  readonly holdings:
    | readonly {
        readonly chain: string;
        readonly complete: boolean;
        readonly gaps: readonly string[];
        readonly positions: number;
        readonly height: number;
      }[]
    | null;
  readonly [field: string]: unknown;
}

const portfolio = async (json: object, status = 200) => {
  const reply = await world.call('/v1/policy/portfolio', { json });
  const body = (await reply.json()) as Reply;
  assert.equal(reply.status, status, JSON.stringify(body).slice(0, 600));
  return body;
};
const assetOf = (name: string) => {
  const found = world.sandbox.world.assets.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
};

before(async () => {
  world = await testService();
  for (const name of NAMES) {
    const { chain, address } = assetOf(name);
    const scored = await world.call('/v1/score', { json: { asset: `${chain}:${address}` } });
    assert.equal(scored.status, 200, await scored.text());
  }
  const [first] = world.sandbox.world.holders(assetOf('Tidewell'), Date.now());
  assert.ok(first);
  holder = first.owner;
});
after(() => world?.close());

test('the positions of an address of Solana are its coin and its tokens, valued and judged; the list is whole', async () => {
  const body = await portfolio({ address: holder, chains: ['solana'], preset: 'wallet', rules: { unknown: 'block' } });
  assert.deepEqual(
    body.holdings?.map(({ chain, complete, gaps }) => [chain, complete, gaps]),
    [['solana', true, []]],
  );
  assert.equal(body.holdings?.[0]?.positions, body.positions.length);
  const tide = body.positions.find(({ asset_id: id }) => id?.endsWith(assetOf('Tidewell').address));
  assert.ok(
    tide && (tide.quantity ?? 0) > 0 && (tide.value_usd ?? 0) > 0,
    JSON.stringify(body.positions).slice(0, 400),
  );
  assert.notEqual(tide.band, 'NR');
  const coin = body.positions.find(({ asset_id: id }) => id?.endsWith('/slip44:501'));
  assert.deepEqual(
    [coin?.quantity, coin?.band, coin?.outcome],
    [0.00203928, 'NR', 'block'],
    'never rated fails closed',
  );
  assert.equal(body.outcome, 'block');

  const snapshot = await world.call(`/v1/solana/market/${assetOf('Tidewell').address}/snapshot`);
  const { price_usd: price } = (await snapshot.json()) as { price_usd: number };
  assert.ok(Math.abs((tide.value_usd ?? 0) / ((tide.quantity ?? 1) * price) - 1) < 0.05);
});

test('an EVM chain has no list of tokens: known ones are read, the verdict is caution at least, with the reason', async () => {
  const address = `0x${'0'.repeat(38)}aa`;
  const body = await portfolio({ address, chains: ['ethereum', 'base'] });
  assert.deepEqual(
    body.holdings?.map(({ chain, complete }) => [chain, complete]),
    [
      ['ethereum', false],
      ['base', false],
    ],
  );
  assert.ok(body.holdings?.every(({ gaps, height }) => gaps.length > 0 && height > 0));
  assert.notEqual(body.outcome, 'allow');
});

test('text that is no address, of no such chain, mistyped, or given beside a list is refused with an explanation', async () => {
  const cases: readonly (readonly [object, number, string, string])[] = [
    [{ address: 'nonsense0' }, 400, 'validation_failed', '/address'],
    [{ address: holder, chains: ['ethereum'] }, 400, 'validation_failed', '/address'],
    [{ address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046' }, 400, 'validation_failed', '/address'],
    [{ address: holder, csv: 'asset,value_usd\nJUP,1' }, 400, 'validation_failed', '/positions'],
    [{ chains: ['solana'], csv: 'asset,value_usd\nJUP,1' }, 400, 'validation_failed', '/chains'],
    [{ address: '../../etc/passwd' }, 400, 'validation_failed', '/address'],
    [{ address: 'http://127.0.0.1:1/' }, 400, 'validation_failed', '/address'],
  ];
  for (const [given, status, code, pointer] of cases) {
    const body = (await portfolio(given, status)) as unknown as {
      code: string;
      errors: readonly { pointer: string }[];
    };
    assert.deepEqual([body.code, body.errors?.[0]?.pointer], [code, pointer], JSON.stringify(given));
  }
});

test('a chain whose nodes are away is a refusal, not an empty portfolio', async () => {
  const fault = (json: object | null) =>
    fetch(`${world.sandbox.url}/__control/faults`, {
      method: json === null ? 'DELETE' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(json === null ? {} : { body: JSON.stringify(json) }),
    });
  const { owner } = world.sandbox.world.holders(assetOf('Tidewell'), Date.now())[1] ?? assert.fail();
  await fault({ source: 'solana_rpc', kind: 'server_error', status: 503 });
  const body = (await portfolio({ address: owner, chains: ['solana'] }, 503)) as unknown as Record<string, string>;
  assert.equal(body.code, 'holdings_not_read');
  assert.match(body.detail ?? '', /^solana: /);
  assert.ok(!JSON.stringify(body).includes('127.0.0.1'), 'no address of a node leaves');
  await fault(null);
});

test('the command line takes an address, lists what it read, and ends with the verdict', async () => {
  const lines: string[] = [];
  const terminal = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) };
  const run = (...args: string[]) =>
    policyCommand.run(['portfolio', '--url', world.service.url, '--api-key', world.key, ...args], {
      terminal,
    } as never);
  assert.equal(await run('--address', holder, '--chain', 'solana', '--preset', 'agent'), 3);
  assert.ok(
    lines.some((line) => /^ {2}read on solana: \d+ positions, whole$/.test(line)),
    lines.join('\n'),
  );
  assert.equal(await run('positions.csv', '--address', holder), 64, 'either a file or an address');
  assert.equal(await run('positions.csv', '--chain', 'solana'), 64, 'chains are those of an address');
});
