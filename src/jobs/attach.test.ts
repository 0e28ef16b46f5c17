import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Identification } from '../domain/index.ts';
import { NO_KEYS } from '../domain/index.ts';
import { type TestDatabase, testDatabase } from '../store/fixtures/database.ts';
import type { JobRow } from '../store/index.ts';
import { attach } from './attach.ts';
import type { ScoringOptions } from './types.ts';

const ASSET = {
  id: 'project:attached.example',
  chain: null,
  address: null,
  symbol: null,
  name: 'Attached',
  category: null,
  website: 'https://attached.example/',
};
const FOUND: Identification = {
  asset: ASSET,
  stage: 'pre_tge',
  registrableDomain: 'attached.example',
  keys: NO_KEYS,
  match: 0.9,
  links: [],
  contradictions: [],
  rejected: [],
  notes: [],
};

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

test('a collection that could not be started costs its account none of the quota', async () => {
  let taken = 0;
  const options = {
    db: database.store.db,
    now: () => Date.parse('2026-11-20T00:00:00.000Z'),
    random: () => {
      throw new Error('the store is away');
    },
    freshSeconds: 60,
    collectionSeconds: 60,
    collectionQuota: async () => ({
      hasCapacity: async () => true,
      async take() {
        taken += 1;
        return null;
      },
      async giveBack() {
        taken -= 1;
      },
    }),
  } as unknown as ScoringOptions;
  await assert.rejects(attach(options, { id: 'posttge_1_aaaaaaaa', key_id: 'key' } as JobRow, FOUND, null), /is away/);
  assert.equal(taken, 0);
});
