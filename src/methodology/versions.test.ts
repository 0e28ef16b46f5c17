import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadMethodology } from './load.ts';
import { computableMethodology, methodologyChanges, methodologyVersions } from './versions.ts';

/** A file that ratings were made with never changes: these are the hashes that stand in the ratings. */
const d376090e34ec5351c5dd7ff8a60a656d27d2b19f7ad618641f24c94af519b465ES: Readonly<Record<string, string>> = {
  '0.5.1': '6419e5d23aedf8d32067af60d6f07600fa2ee90aab21b728e69f4f83cd5b2f2f',
  '0.5.0': '99fe27c2a720ee5f8e8f5cf86e3e39a982bb4da22373ff0476de8d2342ccefe5',
  '0.4.1': 'd376090e34ec5351c5dd7ff8a60a656d27d2b19f7ad618641f24c94af519b465',
  '0.4.0': '1c30b0da4ffb2d13b2e4cb895dd76aa7fe1258128972cdac9fa9ab607d214337',
  '0.3.0': 'acbee5aead4b1628cbc6f0be6b1e83e7336b0a926b3cea62acdf22241152da68',
  '0.2.0': '62895f77b373c38c6e16e1606a135ed91446bc060ceacee3ceb8d1fc687587dd',
  '0.1.0': 'e4a4306c54c07da7e38b1059764013d6fa666712690ff32c2afb569edf44c7ff',
};

test('every version of the log is kept, the one in force first, and no kept file has changed', () => {
  const versions = methodologyVersions();
  assert.deepEqual(
    versions.map(({ version }) => version),
    methodologyChanges().map(({ version }) => version),
  );
  const [inForce, ...kept] = versions;
  assert.deepEqual([inForce?.version, inForce?.hash], [loadMethodology().version, loadMethodology().hash]);
  assert.deepEqual(
    Object.fromEntries(kept.map(({ version, hash }) => [version, hash])),
    d376090e34ec5351c5dd7ff8a60a656d27d2b19f7ad618641f24c94af519b465ES,
  );
  assert.deepEqual(
    versions.map((one) => one.inForce),
    versions.map((_one, index) => index === 0),
  );
});

test('the log says of each change when, of what kind and why, the newest first', () => {
  const changes = methodologyChanges();
  for (const { date, kind, reason, effect } of changes) {
    assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(['MAJOR', 'MINOR', 'PATCH'].includes(kind) && reason !== '' && effect !== '');
  }
  assert.deepEqual(
    changes,
    changes.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)),
  );
});

test('ratings of 0.5.0 and 0.5.1 can still be computed, and those of versions before are refused', () => {
  const versions = methodologyVersions();
  const of = (version: string) => computableMethodology(versions.find((row) => row.version === version)?.hash ?? '');
  assert.equal(computableMethodology(loadMethodology().hash), loadMethodology());
  assert.deepEqual([of('0.5.0')?.version, of('0.5.0')?.holders.outsideSupply], ['0.5.0', ['burn']]);
  assert.deepEqual([of('0.5.1')?.version, of('0.5.1')?.holders], ['0.5.1', loadMethodology().holders]);
  assert.deepEqual([of('0.4.1'), computableMethodology('')], [null, null]);
});
