import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_WEBSITE } from '../../domain/index.ts';
import { readAssetText, requestNaming } from './asset-text.ts';
import { readScoreRequest } from './score.ts';

const UNI = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const words = (text: string, chain: string | null = null) => {
  const read = readAssetText(text, chain);
  assert.ok(read.ok, text);
  const { project, projectUrl, tokenSymbol, blockchain, tokenAddress } = read.value;
  return [project, projectUrl === NO_WEBSITE ? null : projectUrl, tokenSymbol, blockchain, tokenAddress];
};

test('an asset is named by an id, an address, a site, a ticker or a name', () => {
  const rows: [string, ReturnType<typeof words>][] = [
    [`eip155:1/erc20:${UNI}`, [`eip155:1/erc20:${UNI}`, null, null, 'ethereum', UNI.toLowerCase()]],
    [`ethereum:${UNI}`, [`ethereum:${UNI}`, null, null, 'ethereum', UNI]],
    [UNI, [UNI, null, null, null, UNI]],
    [MINT, [MINT, null, null, null, MINT]],
    ['solana:native', ['SOL', null, 'SOL', 'solana', null]],
    ['arbitrum:native', ['ETH', null, 'ETH', 'arbitrum', null]],
    ['eip155:42161/slip44:60', ['ETH', null, 'ETH', 'arbitrum', null]],
    ['bip122:000000000019d6689c085ae165831e93/slip44:0', ['Bitcoin', null, 'BTC', null, null]],
    ['https://app.uniswap.org/swap', ['uniswap', 'https://app.uniswap.org/swap', null, null, null]],
    ['uniswap.org', ['uniswap', 'https://uniswap.org', null, null, null]],
    ['www.barclays.co.uk', ['barclays', 'https://www.barclays.co.uk', null, null, null]],
    ['project:uniswap.org', ['uniswap', 'https://uniswap.org/', null, null, null]],
    ['UNI', ['UNI', null, 'UNI', null, null]],
    ['$pepe', ['pepe', null, 'pepe', null, null]],
    ['Curve DAO Token', ['Curve DAO Token', null, null, null, null]],
  ];
  for (const [text, expected] of rows) assert.deepEqual(words(text), expected, text);
  assert.deepEqual(words(' Uniswap ', 'base'), ['Uniswap', null, null, 'base', null]);
});

test('text that is not an address of the chain is reported, and never taken for a name', () => {
  for (const text of ['0x1f9840a85d5aF5bf1D', `solana:${UNI}`]) {
    const read = readAssetText(text, null);
    assert.deepEqual([read.ok, !read.ok && read.code], [false, 'malformed_address'], text);
  }
});

test('an address with a wrong checksum in its capitals is refused in every form, and accepted in one case', () => {
  const right = '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9';
  const mistyped = right.replace(/9$/, '8');
  for (const text of [
    right,
    mistyped.toLowerCase(),
    `0x${mistyped.slice(2).toUpperCase()}`,
    `https://a.example/${mistyped}`,
  ])
    assert.equal(readAssetText(text, null).ok, true, text);
  for (const text of [mistyped, `ethereum:${mistyped}`, `eip155:1/erc20:${mistyped}`]) {
    const read = readAssetText(text, null);
    assert.deepEqual([read.ok, !read.ok && read.code], [false, 'wrong_checksum'], text);
  }
});

test('the body takes asset alone; beside project or project_url it is refused', () => {
  const read = (body: unknown) => readScoreRequest(body, (url) => (url.includes('10.0.0.1') ? 'not public' : null));
  const codes = (body: unknown) => {
    const result = read(body);
    return result.ok ? [] : result.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  const plain = read({ asset: 'Uniswap' });
  assert.deepEqual(plain.ok && [plain.value.request.type, plain.value.format], ['posttge', 'standard']);
  assert.deepEqual(codes({ asset: 'Uniswap', project: 'Uniswap' }), ['/project conflict']);
  assert.deepEqual(codes({ asset: 'http://10.0.0.1/' }), ['/asset url_refused']);
  assert.deepEqual(codes({ asset: 'Uniswap', type: 'pretge' }), ['/asset website_expected']);
  assert.deepEqual(codes({ asset: 'uniswap.org', type: 'pretge', output_format: 'full' }), []);
  assert.deepEqual(codes({ asset: 7 }), ['/asset wrong_type']);
  assert.deepEqual(codes({ asset: ' ' }), ['/asset empty']);
  assert.deepEqual(codes({ asset: 'a\u202eb' }), ['/asset forbidden_character']);
  assert.deepEqual(codes({ asset: 'x', blockchain: 'nochain', output_format: 'xml' }), [
    '/blockchain unknown_chain',
    '/output_format unknown_output_format',
  ]);
  assert.ok(codes({}).includes('/asset missing'), 'who sends nothing is told of it');
});

test('an id alone is a complete request, another text is not', () => {
  assert.equal(requestNaming('project:uniswap.org')?.projectUrl, 'https://uniswap.org/');
  assert.equal(requestNaming(`eip155:1/erc20:${UNI}`)?.tokenAddress, UNI.toLowerCase());
  assert.equal(requestNaming('UNI'), null);
});
