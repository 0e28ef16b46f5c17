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

test('a subject whose days are not known keeps no other subject from being published', async () => {
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
  assert.deepEqual(await publisher.publishDue(), ['ethereum 2026-11-20', 'solana 2026-11-20']);
  assert.deepEqual(errors, ['publishing exports of rms', 'reading the export ethereum 2026-11-19']);
  await publisher.close();
});

test('a day whose entry is damaged is reported and not written over; other days are listed and served', async () => {
  const file = { format: 'csv', encoding: 'identity', name: 'day.csv', bytes: 1, sha256: '0'.repeat(64) };
  const good = { date: '2026-11-18', revision: 1, rows: 1, files: [file], restates: null };
  for (const [folder, text] of [
    ['2026-11-18', JSON.stringify(good)],
    ['2026-11-19', '{"date":'],
    ['2026-11-20', 'null'],
    ['2026-11-21', JSON.stringify({ ...good, date: '2026-11-21', files: 'none' })],
    ['2026-11-22', JSON.stringify(good)],
    ['2026-11-23', null],
  ] as const) {
    await mkdir(join(root, 'base', folder), { recursive: true });
    if (text !== null) await writeFile(join(root, 'base', folder, 'day.json'), text);
  }
  const service = createExportService(root);
  assert.deepEqual(await service.manifest('base'), [good]);
  const open = async (date: string | null, revision: number | null = null) => {
    const opened = await service.open('base', date, 'csv', ['identity'], revision);
    return opened.ok ? opened.value.day.date : opened.reason;
  };
  assert.equal(await open('2026-11-18'), '2026-11-18');
  for (const date of ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', null])
    assert.equal(await open(date), 'unreadable', String(date));
  assert.equal(await open('2026-11-19', 2), 'no_such_revision');
  const errors: string[] = [];
  const publisher = createPublisher({
    subjects: ['base'],
    closedDays: async () => ['2026-11-19', '2026-11-23', '2026-11-24'],
    service,
    complete: async () => undefined,
    publish: async () => undefined,
    onError: (_error, what) => errors.push(what),
  });
  assert.deepEqual(await publisher.publishDue(), ['base 2026-11-24']);
  assert.equal(errors.length, 5);
  await publisher.close();
});
