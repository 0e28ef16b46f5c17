import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadMethodology } from './load.ts';
import { computableMethodology, methodologyChanges, methodologyVersions } from './versions.ts';

/** A file that ratings were made with never changes: these are the hashes that stand in the ratings. */
const KEPT_HASHES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('../../methodology/versions/hashes.json', import.meta.url), 'utf8'),
);

test('every version of the log is kept, the one in force first, and no kept file has changed', () => {
  const versions = methodologyVersions();
  assert.deepEqual(
    versions.map(({ version }) => version),
    methodologyChanges().map(({ version }) => version),
  );
  const [inForce, ...kept] = versions;
  assert.deepEqual([inForce?.version, inForce?.hash], [loadMethodology().version, loadMethodology().hash]);
  assert.deepEqual(Object.fromEntries(kept.map(({ version, hash }) => [version, hash])), KEPT_HASHES);
  assert.deepEqual(
    versions.map((one) => one.inForce),
    versions.map((_one, index) => index === 0),
  );
});

test('no version takes the code of a flag away, so that a request may name those of earlier ratings', () => {
  const codes = new Set<string>(loadMethodology().flags.map(({ code }) => code));
  for (const { version, content } of methodologyVersions())
    for (const { code } of (content as { readonly flags: readonly { readonly code: string }[] }).flags)
      assert.ok(codes.has(code), `${version}: ${code}`);
});

test('the log states for each change the date, the kind and the reason, newest first', () => {
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

test('ratings of the version in force and since 1.5.0 can be computed again, and those of versions before 1.0 are refused', () => {
  const versions = methodologyVersions();
  assert.equal(computableMethodology(loadMethodology().hash), loadMethodology());
  for (const version of ['0.5.4', '0.5.0', '0.4.1'])
    assert.equal(computableMethodology(versions.find((row) => row.version === version)?.hash ?? ''), null, version);
  assert.equal(computableMethodology(''), null);
  // What is optional and absent stays so: here the later revisions of the rules.
  for (const [version, revision] of [
    ['1.5.0', undefined],
    ['1.5.1', 2],
  ] as const) {
    const kept = versions.find((row) => row.version === version)?.hash ?? '';
    const earlier = computableMethodology(kept);
    assert.deepEqual([earlier?.hash, earlier?.version, earlier?.publication.revision], [kept, version, revision]);
    assert.deepEqual([earlier?.consensus.numberMajority, earlier?.consensus.chainDecides], [undefined, undefined]);
    assert.equal(earlier?.featureRules.revision, undefined);
  }
  assert.equal(loadMethodology().publication.revision, 4);
});
