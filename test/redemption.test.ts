import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sourceVariables } from '../sandbox/settings.ts';
import { specsOf } from '../sandbox/world/world.ts';
import { databaseVariables } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const MAIN = join(import.meta.dirname, '..', 'bin', 'assay.js');

interface Voice {
  readonly source: string;
  readonly endpoint: string;
  readonly family: string;
  readonly value: number;
  readonly accepted: boolean;
  readonly evidence: string;
}
interface Full {
  readonly job_id: string;
  readonly vfr: {
    readonly value: number | null;
    readonly zone: string;
    readonly method: string;
    readonly reason: string | null;
    readonly notes: readonly string[];
  };
  readonly quantities: readonly {
    readonly quantity: string;
    readonly unit: string;
    readonly value: number;
    readonly confidence: number;
    readonly voices: readonly Voice[];
  }[];
  readonly evidence: readonly {
    readonly id: string;
    readonly source: string;
    readonly outcome: string;
    readonly detail: string | null;
  }[];
}

interface Published {
  readonly band: string;
  readonly score: number | null;
  readonly action_reason: string;
  readonly default: { readonly tests: readonly { readonly code: string }[] } | null;
}

let world: TestService;
before(async () => {
  world = await testService();
});
after(() => world.close());

async function score(project: string, symbol: string): Promise<Full> {
  const url = `https://${project.toLowerCase().replaceAll(' ', '-')}.example/`;
  const json = { type: 'posttge', project, project_url: url, token_symbol: symbol, output_format: 'full' };
  const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=20' } });
  assert.equal(reply.status, 200, project);
  return (await reply.json()) as Full;
}

const redemptionOf = (full: Full) => full.quantities.find((row) => row.quantity === 'redemption_value_usd');
const familiesOf = (full: Full) =>
  redemptionOf(full)
    ?.voices.map((voice) => voice.family)
    .sort();

test('staked ether at its redemption value is fair; two nodes and the market state its rate', async () => {
  const full = await score('Harrowgate Staked Ether', 'hgETH');
  assert.deepEqual([full.vfr.method, full.vfr.zone], ['peg', 'FAIR']);
  assert.ok(Math.abs((full.vfr.value ?? 0) - 0.999) < 0.01, String(full.vfr.value));
  assert.deepEqual(familiesOf(full), ['chain:ethereum', 'chain:ethereum_2', 'coingecko']);
  const found = redemptionOf(full);
  assert.equal(found?.unit, 'usd');
  assert.ok((found?.confidence ?? 0) > 0.8, String(found?.confidence));
  for (const voice of found?.voices ?? []) {
    assert.ok(voice.accepted);
    assert.equal(full.evidence.find((row) => row.id === voice.evidence)?.outcome, 'ok');
  }
});

test('a redemption value is recomputed from the archived bodies, byte for byte', async () => {
  const { job_id: jobId } = await score('Harrowgate Staked Ether', 'hgETH');
  const env = {
    PATH: process.env.PATH ?? '',
    ...databaseVariables(world.config),
    ASSAY_DATA_MODE: 'sandbox',
    ...sourceVariables(world.config),
  };
  const args = [MAIN, 'replay', jobId, '--bodies', '--json'];
  const replay = JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
  assert.deepEqual([replay.same_bytes, replay.replies_different], [true, 0]);
});

test('a staked token on Solana is measured the same way', async () => {
  const full = await score('Fernbank Staked SOL', 'fbSOL');
  assert.deepEqual([full.vfr.method, full.vfr.zone], ['peg', 'FAIR']);
  assert.deepEqual(familiesOf(full), ['chain:main', 'chain:second', 'coingecko']);
});

test('bitcoin with a custodian is measured by the statement of the issuer, which counts once', async () => {
  const full = await score('Keelhaven Wrapped Bitcoin', 'khBTC');
  assert.deepEqual([full.vfr.method, full.vfr.zone], ['peg', 'FAIR']);
  assert.match(full.vfr.notes.join(' '), /what the issuer promises/);
  const speaking = redemptionOf(full)?.voices.filter((voice) => voice.accepted);
  assert.deepEqual(speaking?.map((voice) => voice.family).sort(), ['coingecko', 'issuer_disclosure']);
});

test('one that trades five percent below is at a deep discount', async () => {
  const full = await score('Slackwater Staked Ether', 'slkETH');
  assert.equal(full.vfr.zone, 'DEEP_DISCOUNT');
  assert.ok(Math.abs((full.vfr.value ?? 0) - 0.945) < 0.01, String(full.vfr.value));
});

test('a contract that states an absurd rate gives no value but a reason, and the receipt states which', async () => {
  const full = await score('Brightlure Staked Ether', 'brlETH');
  assert.deepEqual([full.vfr.value, full.vfr.zone], [null, 'INDETERMINATE']);
  assert.match(full.vfr.reason ?? '', /redemption value is not known/);
  assert.equal(redemptionOf(full), undefined);
  const receipts = full.evidence.filter((row) => row.id.startsWith('evm_rpc.redemption'));
  assert.deepEqual(
    receipts.map((row) => [row.outcome, row.detail]),
    Array(2).fill(['empty', 'a rate of 47 is not between 0.8 and 2.5']),
  );
});

test('a staked token that is not on the list gets no request', async () => {
  const full = await score('Cairn Staked Ether', 'cnETH');
  assert.equal(full.vfr.value, null);
  assert.equal(
    full.evidence.some((row) => row.id.includes('.redemption')),
    false,
  );
});

test('without the market the value stays; without the chain there is none, and the reply still comes', async () => {
  const without = async (source: string) => {
    // Of a token that was rated before, the answers of then would stand.
    await world.close();
    world = await testService();
    world.sandbox.faults.add({ source, kind: 'server_error' });
    const full = await score('Harrowgate Staked Ether', 'hgETH');
    world.sandbox.faults.clear();
    return full;
  };
  const alone = await without('defillama');
  assert.equal(alone.vfr.zone, 'FAIR');
  assert.deepEqual(familiesOf(alone), ['chain:ethereum', 'chain:ethereum_2']);
  const blind = await without('evm_rpc');
  assert.equal(blind.vfr.value, null);
  assert.equal(redemptionOf(blind), undefined);
});

test('a receipt that has traded at less than half of its underlying is published as D at its first rating; one at 0.85 of it is not', async () => {
  const keelhaven = specsOf('fiction').find(({ symbol }) => symbol === 'khBTC')?.redemption;
  assert.ok(keelhaven);
  const { trades } = keelhaven;
  const published = async (share: number) => {
    Object.assign(keelhaven, { trades: share });
    await world.close();
    world = await testService();
    await score('Keelhaven Wrapped Bitcoin', 'khBTC');
    const reply = await world.call('/v1/rms/eip155:1%2Ferc20:0x2260fac5e5542a773aa44fbcfedf7c193bc2c599');
    assert.equal(reply.status, 200);
    return (await reply.json()) as Published;
  };
  try {
    const lost = await published(0.45);
    assert.deepEqual([lost.band, lost.default?.tests.map(({ code }) => code)], ['D', ['D7']]);
    assert.match(lost.action_reason, /below 0.8 of what it stands for, on 30 days in a row/);
    assert.ok((lost.score ?? 100) <= 4.9, String(lost.score));
    const low = await published(0.85);
    assert.deepEqual([low.default, low.band === 'D' || low.band === 'NR'], [null, false]);
  } finally {
    Object.assign(keelhaven, { trades });
  }
});
