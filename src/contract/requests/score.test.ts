import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readScoreRequest } from './score.ts';

const anyUrl = () => null;
const good = { type: 'PostTGE', project: 'Lumen Swap', project_url: 'https://lumenswap.example/' };

function codesOf(body: unknown): string[] {
  const read = readScoreRequest(body, (url) => (url.startsWith('https://') ? null : 'expected http or https'));
  return read.ok ? [] : read.errors.map((error) => `${error.pointer} ${error.code}`);
}

test('the three required fields are enough, and type in any case is read as the interface document writes it', () => {
  const read = readScoreRequest(good, anyUrl);
  assert.ok(read.ok);
  assert.equal(read.value.request.type, 'posttge');
  const named = readScoreRequest({ asset: 'https://lumenswap.example/', type: 'PreTGE' }, anyUrl);
  assert.equal(named.ok && named.value.request.type, 'pretge');
  assert.equal(read.value.format, 'standard');
  assert.deepEqual(read.value.warnings, []);
});

test('a bare host is the site as entered in a browser; what is no host is not completed', () => {
  const read = readScoreRequest({ ...good, project_url: ' lumenswap.example/app ' }, anyUrl);
  assert.equal(read.ok && read.value.request.projectUrl, 'https://lumenswap.example/app');
  for (const url of ['localhost', '127.0.0.1', '[::1]', 'ftp://lumenswap.example', 'a b.example', 'mailto:a@b.example'])
    assert.deepEqual(codesOf({ ...good, project_url: url }), ['/project_url url_refused'], url);
});

test('all errors are reported at once, each with its pointer', () => {
  assert.deepEqual(
    codesOf({ type: 'ico', project: '', output_format: 'xml', blockchain: 'nochain', token_address: '!!' }),
    [
      '/project_url missing',
      '/project empty',
      '/type unknown_type',
      '/blockchain unknown_chain',
      '/token_address malformed_address',
      '/output_format unknown_output_format',
    ],
  );
});

test('every wrong shape is named', () => {
  const rows: [unknown, string][] = [
    [null, ' wrong_type'],
    [[], ' wrong_type'],
    ['text', ' wrong_type'],
    [{ ...good, project: 7 }, '/project wrong_type'],
    [{ ...good, project: null }, '/project missing'],
    [{ ...good, project: 'x'.repeat(201) }, '/project too_long'],
    [{ ...good, project: 'x'.repeat(1_000_000) }, '/project too_long'],
    [{ ...good, project: 'a\u0000b' }, '/project forbidden_character'],
    [{ ...good, project: 'a\u202egnp.exe' }, '/project forbidden_character'],
    [{ ...good, project: 'a\u200bb' }, '/project forbidden_character'],
    [{ ...good, project: 'a\ud800' }, '/project forbidden_character'],
    [{ ...good, token_symbol: ['A'] }, '/token_symbol wrong_type'],
    [{ ...good, category: 'c'.repeat(101) }, '/category too_long'],
    [{ ...good, project_url: 'ftp://x.example' }, '/project_url url_refused'],
    [
      { ...good, blockchain: 'ethereum', token_address: 'So11111111111111111111111111111111111111112' },
      '/token_address malformed_address',
    ],
  ];
  for (const [body, expected] of rows) assert.deepEqual(codesOf(body), [expected], JSON.stringify(body)?.slice(0, 80));
});

test('an unknown field is a warning with the nearest known name, not an error', () => {
  const read = readScoreRequest({ ...good, projekt_url: 'x', blokchain: 'solana', zzz: 1 }, anyUrl);
  assert.ok(read.ok);
  assert.deepEqual(read.value.warnings, [
    'unknown field projekt_url was ignored; did you mean project_url?',
    'unknown field blokchain was ignored; did you mean blockchain?',
    'unknown field zzz was ignored',
  ]);
});

test('inherited names are not fields', () => {
  assert.deepEqual(
    codesOf(JSON.parse('{"__proto__":{"type":"posttge"},"project":"a","project_url":"https://a.example"}')),
    ['/type missing'],
  );
});

test('names in any script are welcome', () => {
  for (const project of ['柚子交换', 'مشروع', 'Проект', 'Ünïcode 🚀'])
    assert.deepEqual(codesOf({ ...good, project }), []);
});

test('no body at all makes it throw', () => {
  fc.assert(
    fc.property(fc.anything(), (body) => {
      readScoreRequest(body, anyUrl);
    }),
    { numRuns: 500 },
  );
});

test('an id and another chain than its own are refused; the same chain in another spelling is not', () => {
  const read = (asset: string, blockchain: string) => readScoreRequest({ asset, blockchain }, anyUrl);
  const usdc = 'eip155:1/erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
  for (const asset of [usdc, 'ethereum:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'ethereum:native']) {
    const wrong = read(asset, 'base');
    assert.deepEqual(wrong.ok ? [] : wrong.errors.map(({ pointer, code }) => [pointer, code]), [
      ['/blockchain', 'conflict'],
    ]);
    for (const same of ['ethereum', 'ETH', 'eip155:1']) assert.ok(read(asset, same).ok, `${asset} on ${same}`);
  }
  assert.ok(read('USDC', 'base').ok);
});
