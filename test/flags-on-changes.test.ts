import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStorage, type Storage } from '../src/compose/storage.ts';
import type { MarketSnapshot } from '../src/contract/index.ts';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { HOUR_MS } from '../src/domain/statistics.ts';
import { buildReport, encodeReport } from '../src/jobs/pipeline.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { evidenceOf } from '../src/store/archive.ts';
import { noObjectStore } from '../src/store/moved.ts';
import { assetAt, snapshotOf } from '../src/store/snapshots/fixtures/snapshots.ts';
import { snapshotRow } from '../src/store/snapshots/snapshot-row.ts';
import { createSnapshotWriter } from '../src/store/snapshots/write.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let storage: Storage;
before(async () => {
  world = await testService({ indexedAssets: [] });
  storage = await openStorage(world.config, 'visitor', () => undefined);
});
after(async () => {
  await storage.close();
  await world.close();
});

interface Scored {
  readonly job_id: string;
  readonly as_of: string;
  readonly asset: { readonly id: string };
  readonly risk_flags: readonly { readonly code: string; readonly severity: string; readonly detail: string }[];
}

async function score() {
  const reply = await world.call('/v1/score', {
    json: { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE' },
  });
  assert.equal(reply.status, 200);
  const scored = (await reply.json()) as Scored;
  const stored = await evidenceOf(storage.store.db, scored.job_id, noObjectStore);
  assert.ok(stored);
  const evidence = JSON.parse(new TextDecoder().decode(stored.record)) as EvidenceRecord;
  return { scored, evidence, result: Buffer.from(stored.result) };
}

/** What a service would have kept of a token that had three times the liquidity, and a tenth fewer tokens, a day ago. */
async function keepYesterday({ identification, observations, asOf }: EvidenceRecord): Promise<void> {
  const heard = (quantity: string) => {
    const found = observations.find((row) => row.quantity === quantity && row.scope === 'asset');
    assert.equal(typeof found?.value, 'number', quantity);
    return Number(found?.value);
  };
  const provenance = {
    total_supply: { sources: ['solana_rpc'], outvoted: [], confidence: 1, interval: null, method: 'consensus' },
  } as const;
  const kept = Array.from({ length: 22 }, (_, index): MarketSnapshot => {
    const at = new Date(Date.parse(asOf) - (26 - index) * HOUR_MS).toISOString();
    const empty = snapshotOf(assetAt(1), 'market', at, heard('price_usd')) as MarketSnapshot;
    return {
      ...empty,
      asset: identification.asset,
      liquidity_usd: heard('liquidity_dex_usd') * 3,
      total_supply: heard('total_supply') * 0.9,
      provenance,
    };
  });
  await createSnapshotWriter(storage.store.pool).store(kept.map(snapshotRow), Date.parse(asOf));
}

test('stored data of the day before raises flags, is in the evidence, and replays to the same bytes', async () => {
  const first = await score();
  const codes = ({ scored }: { readonly scored: Scored }) => scored.risk_flags.map((flag) => flag.code);
  assert.ok(!codes(first).includes('LIQUIDITY_DRAIN') && !codes(first).includes('SUPPLY_UNEXPECTED_MINT'));

  await keepYesterday(first.evidence);
  const second = await score();
  const drain = second.scored.risk_flags.find((flag) => flag.code === 'LIQUIDITY_DRAIN');
  assert.match(drain?.detail ?? '', /liquidity is down by 6\d\.\d % within a day/);
  assert.ok(codes(second).includes('SUPPLY_UNEXPECTED_MINT'));
  assert.ok((second.evidence.history?.hours.length ?? 0) >= 20);

  const methodology = loadMethodology();
  assert.deepEqual(Buffer.from(encodeReport(buildReport(second.evidence, methodology))), second.result);
  const silent = buildReport({ ...second.evidence, history: null }, methodology);
  assert.ok(!silent.rating.flags.some((flag) => flag.code === 'LIQUIDITY_DRAIN'));
});
