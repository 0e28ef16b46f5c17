import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createExportService, createPublisher } from './published-days.ts';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'assay-publisher-'));
});
after(() => rm(root, { recursive: true, force: true }));

test('a subject whose days cannot be read keeps no other subject from being published', async () => {
  await mkdir(join(root, 'ethereum/2026-11-19'), { recursive: true });
  await writeFile(join(root, 'ethereum/2026-11-19/day.json'), '{"date":');
  const errors: string[] = [];
  const publisher = createPublisher({
    subjects: ['rms', 'ethereum', 'solana'],
    closedDays: async (subject) => {
      if (subject === 'rms') throw new Error('canceling statement due to lock timeout');
      return ['2026-11-20'];
    },
    service: createExportService(root),
    complete: async () => undefined,
    publish: async () => undefined,
    onError: (_error, what) => errors.push(what),
  });
  assert.deepEqual(await publisher.publishDue(), ['solana 2026-11-20']);
  assert.deepEqual(errors, ['publishing exports of rms', 'publishing exports of ethereum']);
  await publisher.close();
});
