import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { nearestName } from '../domain/index.ts';
import { describeConfig, settingsTable } from './describe.ts';
import { loadConfig } from './load.ts';

const sources = [
  { name: 'coingecko', bases: ['main'] },
  { name: 'solana_rpc', bases: ['main', 'second'] },
];

/** Everything below it in docs/configuration.md is generated. */
const MARK = '<!-- generated from src/config/settings.ts -->';

function errorsOf(env: Record<string, string>): readonly string[] {
  const loaded = loadConfig(env, sources);
  return loaded.ok ? [] : loaded.errors;
}

function configOf(env: Record<string, string>) {
  const loaded = loadConfig(env, sources);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.value;
}

describe('configuration', () => {
  test('without any setting is complete', () => {
    const config = configOf({ PATH: '/bin', HOME: '/root' });
    assert.equal(config.port, 8_080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.dataMode, 'live');
    assert.equal(config.databaseUrl, null);
    assert.deepEqual(config.sources.coingecko, { bases: {}, key: null, enabled: null });
  });

  test('reads every kind of setting', () => {
    const config = configOf({
      ASSAY_PORT: '0',
      ASSAY_TRUST_PROXY: '2',
      ASSAY_CORS_ORIGINS: 'https://a.example, https://b.example:8443',
      DATABASE_URL: 'postgres://u:p@db/assay',
      ASSAY_METRICS_PORT: '',
      ASSAY_SOURCE_SOLANA_RPC_URL: 'http://127.0.0.1:8899/',
      ASSAY_SOURCE_SOLANA_RPC_SECOND_URL: 'https://node.example/rpc',
      ASSAY_SOURCE_COINGECKO_KEY: 'CG-123',
      ASSAY_SOURCE_COINGECKO_ENABLED: 'false',
    });
    assert.equal(config.port, 0);
    assert.equal(config.trustProxy, 2);
    assert.equal(config.metricsPort, null);
    assert.deepEqual(config.corsOrigins, ['https://a.example', 'https://b.example:8443']);
    assert.deepEqual(config.sources.solana_rpc?.bases, {
      main: 'http://127.0.0.1:8899',
      second: 'https://node.example/rpc',
    });
    assert.deepEqual(config.sources.coingecko, { bases: {}, key: 'CG-123', enabled: false });
  });

  test('trusts proxies by number or by address, and never all callers', () => {
    const read = (text: string) => configOf({ ASSAY_TRUST_PROXY: text }).trustProxy;
    assert.deepEqual(['', 'false', '0', '1', '16', '10.0.0.0/8, 2001:db8::1,::ffff:192.0.2.7'].map(read), [
      false,
      false,
      false,
      1,
      16,
      ['10.0.0.0/8', '2001:db8::1', '192.0.2.7'],
    ]);
    for (const text of [
      'true',
      'TRUE',
      '17',
      '-1',
      '1.5',
      '*',
      'loopback',
      '10.0.0.0/33',
      '010.0.0.1',
      'proxy.internal',
    ]) {
      const [error = ''] = errorsOf({ ASSAY_TRUST_PROXY: text });
      assert.match(
        error,
        /^ASSAY_TRUST_PROXY: expected false, the number of proxies .+ or their addresses .+ never true/,
      );
    }
  });

  test('reports all errors at once, unknown names with the nearest known one', () => {
    const errors = errorsOf({
      ASSAY_PROT: '1',
      ASSAY_PORT: '70000',
      ASSAY_DATA_MODE: 'prod',
      ASSAY_SOURCE_COINGEKO_KEY: 'x',
      ASSAY_CORS_ORIGINS: 'https://a.example/path',
      ASSAY_SCORE_DEADLINE_SECONDS: '301',
    });
    assert.deepEqual(errors, [
      'ASSAY_DATA_MODE: expected live, sandbox, got "prod"',
      'ASSAY_PORT: expected a whole number from 0 to 65535, got "70000"',
      'ASSAY_CORS_ORIGINS: expected origins such as https://app.example, separated by commas, or *, got "https://a.example/path"',
      'ASSAY_PROT: there is no such setting; did you mean ASSAY_PORT?',
      'ASSAY_SOURCE_COINGEKO_KEY: there is no such setting; did you mean ASSAY_SOURCE_COINGECKO_KEY?',
      'ASSAY_SCORE_DEADLINE_SECONDS: must not exceed ASSAY_SCORE_DEADLINE_MAX_SECONDS',
    ]);
  });

  test('names what payments need beside a facilitator', () => {
    const facilitator = { ASSAY_X402_FACILITATOR: 'https://facilitator.example' };
    assert.deepEqual(errorsOf({ ...facilitator, ASSAY_X402_PAY_TO: `0x${'1'.repeat(40)}` }), [
      'ASSAY_X402_NETWORK: ASSAY_X402_FACILITATOR needs it',
      'ASSAY_X402_TOKEN: ASSAY_X402_FACILITATOR needs it',
    ]);
    assert.match(errorsOf({ ASSAY_X402_NETWORK: 'base' }).join(), /expected eip155: and the number of a chain/);
  });

  test('never repeats a secret in an error or a description', () => {
    const secret = 'hunter2-hunter2';
    assert.doesNotMatch(errorsOf({ DATABASE_URL: `mysql://u:${secret}@db` }).join(), /hunter2/);
    assert.doesNotMatch(errorsOf({ ASSAY_SOURCE_COINGECKO_KEY: `${secret} ${secret}` }).join(), /hunter2/);
    const rows = describeConfig(
      configOf({
        DATABASE_URL: `postgres://u:${secret}@db/x`,
        ASSAY_SOURCE_COINGECKO_KEY: secret,
        ASSAY_SOURCE_COINGECKO_URL: `https://node.example/${secret}`,
      }),
    );
    assert.doesNotMatch(JSON.stringify(rows), /hunter2/);
    assert.equal(rows.filter((row) => row.value === 'set').length, 3);
  });

  test('of the sandbox has every source on loopback', () => {
    const good = {
      ASSAY_DATA_MODE: 'sandbox',
      ASSAY_SOURCE_COINGECKO_URL: 'http://127.0.0.1:9000/coingecko',
      ASSAY_SOURCE_SOLANA_RPC_URL: 'http://localhost:9000/solana',
      ASSAY_SOURCE_SOLANA_RPC_SECOND_URL: 'http://[::1]:9000/solana',
    };
    assert.deepEqual(errorsOf(good), []);
    assert.equal(errorsOf({ ...good, ASSAY_SOURCE_COINGECKO_URL: 'https://api.coingecko.com' }).length, 1);
    assert.equal(errorsOf({ ...good, ASSAY_SOURCE_COINGECKO_URL: 'http://127.0.0.1.evil.example' }).length, 1);
    assert.equal(errorsOf({ ASSAY_DATA_MODE: 'sandbox' }).length, 3);
  });

  test('whatever the texts, it is read or refused, never thrown at', () => {
    const names = ['ASSAY_PORT', 'ASSAY_CORS_ORIGINS', 'DATABASE_URL', 'ASSAY_SOURCE_COINGECKO_URL', 'ASSAY_CONTACT'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string()), (env) => {
        const loaded = loadConfig(env, sources);
        assert.ok(loaded.ok || loaded.errors.length > 0);
      }),
    );
  });

  test('a name that resembles none gets no suggestion', () => {
    assert.equal(nearestName('ASSAY_ZZZZZZZZZZZZ', ['ASSAY_PORT']), null);
  });

  test('is documented by its own table (UPDATE_DOCS=1 writes it)', () => {
    const page = new URL('../../docs/configuration.md', import.meta.url);
    const [head = ''] = readFileSync(page, 'utf8').split(MARK, 1);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(page, `${head}${MARK}\n\n${settingsTable()}`);
    assert.equal(readFileSync(page, 'utf8'), `${head}${MARK}\n\n${settingsTable()}`);
  });
});
