import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { concat } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { callContractBy } from '../src/compose/appeal-contracts.ts';
import type { Engine } from '../src/compose/engine.ts';
import { systemResolver } from '../src/upstream/agents.ts';
import { createUpstream } from '../src/upstream/client.ts';
import { type Anvil, startAnvil } from './support/anvil.ts';
import { evmAsset, type RatingWorld, ratingOf, ratingWorld } from './support/rating-world.ts';
import { compileContracts, TEST_CONTRACTS } from './support/solidity.ts';

/** Appeals of assets whose owner is a contract (EIP-1271), asked on a chain of its own. */
const FIRST = privateKeyToAccount(`0x${'31'.repeat(32)}`);
const SECOND = privateKeyToAccount(`0x${'32'.repeat(32)}`);
const STRANGER = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const upstream = createUpstream({ resolver: systemResolver(), userAgent: 'test' });
let anvil: Anvil;
let world: RatingWorld;
/** Nodes of the chain: `main` is anvil. */
let bases: Record<string, string> = {};
/** The public nodes that the source names; any other one is the operator's own. */
let defaults: Record<string, string> = {};
const owners = new Map<string, string>();
const jobs = new Map<string, string>();

before(async () => {
  upstream.setBudget('evm_rpc', { perMinute: 1e6, burst: 1e6, concurrency: 8, shareSeconds: 0 });
  anvil = await startAnvil();
  bases = { ethereum: anvil.url };
  const book = {
    get: () => ({ enabled: true, bases, source: { name: 'evm_rpc', bases: defaults, key: null }, key: null }),
  };
  world = await ratingWorld('2026-11-20T12:00:00.000Z', {}, undefined, {
    callContract: (chain, to, data) => callContractBy({ book, upstream } as unknown as Engine)(chain, to, data),
    reportOf: async (jobId) => {
      const value = owners.get(jobs.get(jobId) ?? '');
      return { consensus: value ? { owner_address: { value, status: 'agreed' } } : {} } as never;
    },
  });
});
after(async () => {
  await world.close();
  await upstream.close();
  await anvil.stop();
});

const { ContractOwner } = compileContracts(['ContractOwner'], TEST_CONTRACTS);
let number = 0;
/** An asset that a contract owns, with an open appeal. */
async function appealOf(mode: number, owner?: string) {
  number += 1;
  const asset = evmAsset(1, 'ethereum', `0x${number.toString(16).padStart(40, '0')}`, `C${number}`);
  const keys = [FIRST.address, SECOND.address, mode];
  owners.set(asset.id, owner ?? (await anvil.deploy(ContractOwner.abi, ContractOwner.bytecode, keys)));
  const rating = ratingOf(asset, '2026-11-20T08:00:00.000Z', { action: 'new' });
  jobs.set(rating.jobId, asset.id);
  await world.put(rating);
  world.clock.now += 3_600_000;
  const reply = await world.get('/v1/public/appeals', { method: 'POST', key: '', body: { asset: asset.id } });
  const body = (await reply.json()) as {
    reference: string;
    task: { text: string; typed_data: Parameters<typeof FIRST.signTypedData>[0] };
  };
  assert.equal(reply.status, 201, JSON.stringify(body));
  return body;
}
async function prove(reference: string, signature: string) {
  const body = { method: 'eip1271', signature };
  const reply = await world.get(`/v1/public/appeals/${reference}/proof`, { method: 'POST', key: '', body });
  return { status: reply.status, body: (await reply.json()) as { code?: string; detail?: string; proof?: object } };
}

test('a contract confirms a signature of the challenge as its own, of the text and of the typed data', async () => {
  const plain = await appealOf(0);
  const message = plain.task.text;
  const both = concat([await FIRST.signMessage({ message }), await SECOND.signMessage({ message })]);
  const proved = await prove(plain.reference, both);
  assert.equal(proved.status, 200, JSON.stringify(proved.body));
  assert.partialDeepStrictEqual(proved.body.proof, { method: 'eip1271', role: 'owner' });

  const typed = await appealOf(0);
  const { typed_data: data } = typed.task;
  const signature = concat([await FIRST.signTypedData(data), await SECOND.signTypedData(data)]);
  assert.equal((await prove(typed.reference, signature)).status, 200);
});

test('signatures of one key, of strangers, and of another appeal prove nothing', async () => {
  const [appeal, other] = [await appealOf(0), await appealOf(0)];
  const sign = async (message: string, ...keys: (typeof FIRST)[]) =>
    concat(await Promise.all(keys.map((key) => key.signMessage({ message }))));
  const { text } = appeal.task;
  for (const signature of [
    await sign(text, FIRST),
    await sign(text, FIRST, STRANGER),
    await sign(text, SECOND, FIRST),
    await sign(other.task.text, FIRST, SECOND),
    '0x00',
  ]) {
    const refused = await prove(appeal.reference, signature);
    assert.deepEqual([refused.status, refused.body.code], [422, 'not_proved']);
  }
  assert.equal((await prove(appeal.reference, 'zz')).status, 422, 'no hexadecimal');
  assert.equal((await prove(appeal.reference, await sign(text, FIRST, SECOND))).status, 200);
});

test('a contract that accepts everything, reverts, burns all gas or returns garbage proves nothing, within seconds', async () => {
  for (const [mode, words] of [
    [1, /takes the signature for what it did not sign/],
    [2, /no contract that controls/],
    [3, /no contract that controls/],
    [4, /no contract that controls/],
    [5, /no contract that controls/],
    [6, /no contract that controls/],
  ] as const) {
    const appeal = await appealOf(mode);
    const message = appeal.task.text;
    const started = performance.now();
    const refused = await prove(appeal.reference, await FIRST.signMessage({ message }));
    assert.deepEqual([refused.status, refused.body.code], [422, 'not_proved'], `mode ${mode}`);
    assert.match(refused.body.detail ?? '', words, `mode ${mode}`);
    assert.ok(performance.now() - started < 10_000, `mode ${mode}`);
  }
  const nobody = await appealOf(0, STRANGER.address);
  const { text: message } = nobody.task;
  assert.equal((await prove(nobody.reference, await STRANGER.signMessage({ message }))).status, 422, 'no code there');
});

test('nodes that are away or disagree prove nothing, and the error contains no node address', async () => {
  const appeal = await appealOf(0);
  const message = appeal.task.text;
  const both = concat([await FIRST.signMessage({ message }), await SECOND.signMessage({ message })]);
  const usual = bases;
  const bare = await startAnvil();
  try {
    for (const [given, words] of [
      [{ ethereum: 'http://127.0.0.1:1' }, /no node of the chain gave an answer/],
      [{}, /has no node here/],
      [{ ethereum: anvil.url, ethereum_2: bare.url }, /do not agree/],
      [{ ethereum: anvil.url, ethereum_2: 'http://127.0.0.1:1' }, /only one node of the chain gave an answer/],
      [{ ethereum: anvil.url, ethereum_2: anvil.url }, /only one node of the chain gave an answer/],
    ] as const) {
      bases = given as Record<string, string>;
      const refused = await prove(appeal.reference, both);
      assert.equal(refused.status, 422);
      assert.match(refused.body.detail ?? '', words);
      assert.ok(!JSON.stringify(refused.body).includes('127.0.0.1'));
    }
  } finally {
    bases = usual;
    await bare.stop();
  }
  assert.equal((await prove(appeal.reference, both)).status, 200);
});

test('one public node alone proves nothing, two that agree do', async () => {
  const appeal = await appealOf(0);
  const message = appeal.task.text;
  const both = concat([await FIRST.signMessage({ message }), await SECOND.signMessage({ message })]);
  const [usual, usualDefaults] = [bases, defaults];
  // The same node under a second host stands for another operator.
  const second = anvil.url.replace('127.0.0.1', 'localhost');
  try {
    [bases, defaults] = [{ ethereum: anvil.url }, { ethereum: anvil.url }];
    const refused = await prove(appeal.reference, both);
    assert.equal(refused.status, 422);
    assert.match(refused.body.detail ?? '', /only one node of the chain gave an answer/);
    [bases, defaults] = [
      { ethereum: anvil.url, ethereum_2: second },
      { ethereum: anvil.url, ethereum_2: second },
    ];
    assert.equal((await prove(appeal.reference, both)).status, 200);
  } finally {
    [bases, defaults] = [usual, usualDefaults];
  }
});
