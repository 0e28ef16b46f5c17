import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { counterfactualByItsMethodology } from '../src/compose/report.ts';
import type { EvidenceRecord } from '../src/domain/evidence.ts';
import { buildReport, counterfactualFor } from '../src/jobs/pipeline.ts';
import { computableMethodology, methodologyVersions } from '../src/methodology/versions.ts';
import { archivedEvidence } from './support/archived-evidence.ts';
import { type TestService, testService } from './support/service.ts';

let world: TestService;
let evidence: EvidenceRecord;

before(async () => {
  world = await testService();
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example' };
  const reply = await world.call('/v1/score', { json, headers: { prefer: 'wait=60' } });
  const { job_id: job } = (await reply.json()) as { readonly job_id: string };
  [evidence = assert.fail(job)] = await archivedEvidence(world.dataDir, [job]);
});
after(() => world.close());

const hashOf = (version: string) => methodologyVersions().find((row) => row.version === version)?.hash ?? '';

test('what would move a rating of an earlier methodology is computed by that methodology, until the asset is rated again', () => {
  for (const version of ['1.5.0', '1.5.1']) {
    const methodology = computableMethodology(hashOf(version)) ?? assert.fail(version);
    const report = buildReport({ ...evidence, methodologyHash: methodology.hash }, methodology);
    const found = counterfactualByItsMethodology(report, report.published.band);
    assert.deepEqual([report.published.methodologyVersion, found?.reason], [version, null]);
    assert.deepEqual(found, counterfactualFor(report, report.published.band, methodology));
  }
});

test('what would move a rating of a methodology that cannot be computed any more is not known', () => {
  const methodology = computableMethodology(evidence.methodologyHash) ?? assert.fail(evidence.methodologyVersion);
  const report = buildReport({ ...evidence, methodologyHash: hashOf('0.5.4') }, methodology);
  assert.equal(counterfactualByItsMethodology(report, report.published.band), null);
});
