import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { madeRows, mappingOf, methodology, openFolder, outcomeOf, removeFolder } from './fixtures/made-data.ts';
import { MAPPINGS, readMapping } from './mapping.ts';
import { seededRandom } from './random.ts';

before(openFolder);
after(removeFolder);

test('the same file and seed give the same report, byte for byte; another seed gives other intervals only', async () => {
  const [first, second] = [await outcomeOf(madeRows()), await outcomeOf(madeRows())];
  assert.ok(first.ok && second.ok);
  assert.equal(JSON.stringify(first.value), JSON.stringify(second.value));
  const [own] = first.value.dataSets;
  assert.equal(own?.members, 60);
  assert.equal(own?.failures, 40);
  const measured = own?.outcome?.measured[0];
  assert.ok((measured?.values.auc ?? 0) > 0.8 && measured?.clustered !== null);
  assert.ok((own?.panelError ?? 1) < 1e-9);
  assert.deepEqual(own?.files[0]?.rows, 60);
  assert.match(own?.files[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
});

test('a compressed file is the same file', async () => {
  const [plain, packed] = [
    await outcomeOf(madeRows()),
    await outcomeOf(gzipSync(madeRows()), mappingOf(), 'made.csv.gz'),
  ];
  assert.ok(plain.ok && packed.ok);
  assert.deepEqual(packed.value.dataSets[0]?.outcome, plain.value.dataSets[0]?.outcome);
});

test('a file under another name is known by its columns', async () => {
  for (const [csv, name] of [
    [madeRows(), 'Kept aside.csv'],
    [gzipSync(madeRows()), 'kept_aside.csv.gz'],
  ] as const) {
    const found = await outcomeOf(csv, mappingOf(), name);
    assert.ok(found.ok);
    assert.equal(found.value.dataSets[0]?.name, 'kept_aside');
  }
});

test('a panel without outcomes is measured for stability only', async () => {
  const random = seededRandom(8);
  const rows = Array.from({ length: 5 }, (_, asset) =>
    Array.from({ length: 80 }, (_, day) => {
      const at = new Date(Date.parse('2024-01-01') + day * 86_400_000).toISOString().slice(0, 10);
      return `coin ${asset},${at},${Math.round(10 ** (2 + asset + 0.1 * random()))}`;
    }),
  ).flat();
  const found = await outcomeOf(
    `coin,day,holders\n${rows.join('\n')}\n`,
    mappingOf({
      id: 'coin',
      outcome: null,
      group: null,
      featureTime: 'day',
      outcomeTime: null,
      everyDays: 2,
      quantities: {},
      features: { hd_count: { column: 'holders' } },
    }),
  );
  assert.ok(found.ok);
  const [own] = found.value.dataSets;
  assert.equal(own?.outcome, null);
  assert.equal(own?.members, 200);
  assert.equal(own?.leftOut, 200);
  assert.ok((own?.stability?.transitions.find((row) => row.horizonDays === 30)?.rankCorrelation ?? 0) > 0.95);
  assert.ok((own?.stability?.psi.length ?? 0) >= 2);
});

test('the mappings that come with the product fit the methodology', () => {
  for (const file of MAPPINGS) {
    const read = readMapping(file, methodology);
    assert.ok(read.ok, read.ok ? '' : read.refusal.detail);
  }
});
