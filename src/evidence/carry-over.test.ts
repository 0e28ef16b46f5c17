import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agree } from '../consensus/agree.ts';
import type { Identification } from '../domain/asset.ts';
import type { RequestOutcome, ResponseRecord, SourceOutcome } from '../domain/evidence.ts';
import type { Observation } from '../domain/observation.ts';
import { loadMethodology } from '../methodology/load.ts';
import { outcome } from '../rating/fixtures/asset.ts';
import { type Assembled, sortObservations } from './assemble.ts';
import { carryOver, type PublishedEvidence } from './carry-over.ts';

const methodology = loadMethodology();
const THEN = '2026-03-01T12:00:00.000Z';
const after = (days: number) => new Date(Date.parse(THEN) + days * 86_400_000).toISOString();
const IDENTIFICATION = { asset: { id: 'a' }, registrableDomain: 'a.example' } as Identification;

interface Row {
  readonly source: string;
  readonly endpoint?: string;
  readonly hash?: string;
  readonly outcome?: RequestOutcome;
  readonly status?: number;
  readonly says?: Partial<Observation> & Pick<Observation, 'quantity' | 'value'>;
}

const idOf = ({ source, endpoint = 'token', hash = '00000000' }: Row) => `${source}.${endpoint}#${hash}`;

function response(row: Row, at: string): ResponseRecord {
  return {
    id: idOf(row),
    source: row.source,
    endpoint: row.endpoint ?? 'token',
    params: {},
    outcome: row.outcome ?? 'ok',
    method: 'GET',
    url: 'https://x.example/',
    status: row.status ?? 200,
    fetchedAt: at,
    milliseconds: 1,
    headers: {},
    sha256: 'ab',
    bytes: 2,
    detail: null,
    fromCache: false,
  };
}

function observation(row: Row, at: string): readonly Observation[] {
  if (row.says === undefined) return [];
  return [
    {
      scope: 'asset',
      unit: '',
      meaning: '',
      source: row.source,
      endpoint: row.endpoint ?? 'token',
      family: row.source,
      tier: 'aggregator',
      observedAt: at,
      fetchedAt: at,
      reliability: 0.9,
      binding: 1,
      responseId: idOf(row),
      ...row.says,
    },
  ];
}

function assembled(rows: readonly Row[], at: string, sources: readonly SourceOutcome[] = []): Assembled {
  const names = [...new Set(rows.map((row) => row.source))];
  return {
    observations: sortObservations(rows.flatMap((row) => observation(row, at))),
    responses: rows.map((row) => response(row, at)),
    sources: [...names.map((name) => outcome(name)), ...sources],
    attributions: [],
    notRedistributable: [],
    isUnanswered: false,
  };
}

function published(rows: readonly Row[]): PublishedEvidence {
  const { observations, responses } = assembled(rows, THEN);
  return {
    jobId: 'before',
    asOf: THEN,
    identification: IDENTIFICATION,
    observations,
    responses,
    attributions: [{ source: 'rdap', text: 'RDAP', url: 'https://rdap.example/' }],
    notRedistributable: ['rdap'],
  };
}

const carry = (before: PublishedEvidence | null, rows: readonly Row[], days: number, sources?: SourceOutcome[]) =>
  carryOver(before, assembled(rows, after(days), sources), after(days), IDENTIFICATION, methodology);
const shown = ({ observations }: Assembled) =>
  observations.map(
    (row) => `${row.source} ${row.quantity} ${row.value}${row.carried ? ` of ${row.carried.jobId}` : ''}`,
  );

const DOMAIN: Row = { source: 'rdap', says: { quantity: 'domain_registered_at', value: '2020-01-01T00:00:00.000Z' } };
const HOLDERS: Row = { source: 'goplus', says: { quantity: 'holder_count', value: 500 } };
const PAGE: Row = { source: 'website', endpoint: 'page', says: { quantity: 'team_state', value: 'named_verifiable' } };
const fails = (row: Row, how: RequestOutcome, status?: number): Row => ({
  source: row.source,
  ...(row.endpoint ? { endpoint: row.endpoint } : {}),
  outcome: how,
  ...(status ? { status } : {}),
});

test('a reply is carried over to the same request when it fails, with its time and its source’s terms', () => {
  const before = published([DOMAIN, HOLDERS]);
  for (const how of ['timeout', 'http_error', 'unreachable', 'budget_spent', 'circuit_open', 'deadline'] as const) {
    const now = carry(before, [fails(DOMAIN, how), HOLDERS], 1);
    assert.deepEqual(shown(now), [
      'rdap domain_registered_at 2020-01-01T00:00:00.000Z of before',
      'goplus holder_count 500',
    ]);
    const [carried] = now.observations.filter((row) => row.carried);
    assert.deepEqual(
      [carried?.observedAt, carried?.fetchedAt, carried?.responseId],
      [THEN, THEN, `${idOf(DOMAIN)}@before`],
    );
    const record = now.responses.find((row) => row.id === carried?.responseId);
    assert.deepEqual([record?.carriedFrom, record?.fetchedAt], ['before', THEN]);
    assert.equal(new Set(now.responses.map((row) => row.id)).size, now.responses.length, 'ids stay unique');
    assert.deepEqual([now.notRedistributable, now.attributions.map((row) => row.source)], [['rdap'], ['rdap']]);
    assert.deepEqual(now.sources.find((row) => row.name === 'rdap')?.carried, { failed: 1, unasked: 0, credit: 1 });
  }
});

test('a request that got a reply carries nothing over: not found, empty and gone count at once', () => {
  const before = published([PAGE]);
  for (const how of ['ok', 'empty', 'not_found'] as const)
    assert.deepEqual(shown(carry(before, [fails(PAGE, how)], 1)), [], how);
  assert.deepEqual(shown(carry(before, [fails(PAGE, 'http_error', 410)], 1)), [], 'gone');
  for (const status of [401, 403, 451, 500])
    assert.equal(shown(carry(before, [fails(PAGE, 'http_error', status)], 1)).length, 1, `${status}`);
  const gone: Row = { source: 'doh', says: { quantity: 'domain_resolves', value: false } };
  assert.deepEqual(shown(carry(before, [fails(PAGE, 'unreachable'), gone], 1)), ['doh domain_resolves false']);
});

test('nothing is older than its quantity allows, and a page of the rated party no older than a week', () => {
  const before = published([HOLDERS, PAGE, DOMAIN]);
  const rows = [HOLDERS, PAGE, DOMAIN].map((row) => fails(row, 'timeout'));
  const counts = [6.9, 7.1, 179, 181].map((days) => shown(carry(before, rows, days)).length);
  assert.deepEqual(counts, [3, 1, 1, 0]);
});

test('confidence in a page that cannot be read halves in three days, however often it is carried', () => {
  const confidence = (now: Assembled, days: number) =>
    agree(now.observations, methodology, after(days)).team_state?.confidence ?? 0;
  const before = published([PAGE]);
  const fresh = confidence(assembled([PAGE], THEN), 0);
  const once = carry(before, [fails(PAGE, 'timeout')], 3);
  const middle = carry(before, [fails(PAGE, 'timeout')], 1.5);
  const twice = carry({ ...before, ...middle, jobId: 'middle', asOf: after(1.5) }, [fails(PAGE, 'timeout')], 3);
  assert.ok(confidence(once, 3) <= fresh / 2, 'at least halved');
  assert.ok(confidence(once, 3) > 0);
  assert.equal(confidence(twice, 3), confidence(once, 3));
  assert.deepEqual(shown(twice), shown(once), 'it is still of the job that asked');
});

test('questions that could not be put are taken over only where their source failed, was off or the time ended', () => {
  const deep: Row = { ...DOMAIN, endpoint: 'deep' };
  const before = published([deep]);
  assert.deepEqual(shown(carry(before, [HOLDERS], 1)), ['goplus holder_count 500'], 'it was not asked for a reason');
  assert.equal(shown(carry(before, [{ source: 'rdap', outcome: 'timeout' }], 1)).length, 1, 'its source failed');
  assert.equal(shown(carry(before, [], 1, [outcome('rdap', 'disabled')])).length, 1, 'its source is off');
  assert.equal(shown(carry(before, [{ source: 'github', outcome: 'deadline' }], 1)).length, 1, 'time ended');
  const elsewhere: Row = { ...deep, hash: '11111111' };
  assert.deepEqual(
    shown(carry(before, [elsewhere, { source: 'rdap', outcome: 'timeout' }], 1)).length,
    1,
    'it moved on',
  );
});

test('a page that a reachable site no longer links counts as withheld by the site', () => {
  const before = published([PAGE]);
  const rows: Row[] = [
    { source: 'website', endpoint: 'home' },
    { source: 'website', endpoint: 'robots', outcome: 'timeout' },
  ];
  assert.deepEqual(shown(carry(before, rows, 1)), []);
});

test('nothing comes from another asset, another site, a partial collection, or a reply about another token', () => {
  const before = published([PAGE]);
  const rows = [fails(PAGE, 'timeout')];
  const now = assembled(rows, after(1));
  const take = (from: PublishedEvidence, identification: Identification) =>
    shown(carryOver(from, now, after(1), identification, methodology)).length;
  assert.equal(take(before, IDENTIFICATION), 1);
  assert.equal(take(before, { ...IDENTIFICATION, asset: { id: 'b' } } as Identification), 0);
  assert.equal(take(before, { ...IDENTIFICATION, registrableDomain: 'b.example' }), 0);
  assert.equal(take(before, { ...IDENTIFICATION, foreignResponses: [idOf(PAGE)] }), 0);
  assert.equal(take({ ...before, purpose: 'partial' }, IDENTIFICATION), 0);
  assert.equal(carryOver(null, now, after(1), IDENTIFICATION, methodology), now);
});
