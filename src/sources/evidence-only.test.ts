import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../domain/index.ts';
import { crtSh } from './crt-sh.ts';
import { parseBody } from './fixtures/drive.ts';
import { expectNothingOfGarbage } from './fixtures/hostile-replies.ts';
import { endpointOf, facts, NOW } from './fixtures/project-drive.ts';
import { osv } from './osv.ts';
import { safe } from './safe.ts';
import { snapshotVotes } from './snapshot-votes.ts';
import type { Params, Source } from './source.ts';

/** Sources that are shown beside a rating: none may be asked unless the operator wants it. */
test('they are off by default', () => {
  for (const source of [osv, crtSh, safe, snapshotVotes]) assert.equal(source.enabledByDefault, false, source.name);
});

const said = (source: Source, name: string, params: Params, body: unknown) =>
  parseBody(endpointOf(source, name), params, body, NOW);
const only = (source: Source, name: string, params: Params, body: unknown) => {
  const { outcome, drafts } = said(source, name, params, body);
  assert.equal(outcome, 'ok');
  return drafts.map(({ quantity, value }) => [quantity, value] as const);
};

test('no body makes them throw, and an invalid reply gives no observation', () => {
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({ results: fc.jsonValue(), vulns: fc.jsonValue(), data: fc.jsonValue() }),
    fc.array(fc.record({ name_value: fc.string(), not_before: fc.string(), issuer_name: fc.jsonValue() })),
    fc.record({
      vulns: fc.array(fc.record({ id: fc.string(), affected: fc.array(fc.record({ ranges: fc.jsonValue() })) })),
    }),
    fc.record({
      data: fc.record({
        proposals: fc.jsonValue(),
        votes: fc.array(fc.record({ voter: fc.string(), vp: fc.jsonValue() })),
      }),
    }),
  );
  for (const source of [osv, crtSh, safe, snapshotVotes])
    expectNothingOfGarbage(
      source.endpoints,
      () => ({ domain: 'fern.example', search: '%fern%', power: 1, states: ['owner_state'] }),
      bodies,
    );
});

const TIED = { 'github.repo': { repo: 'fern/core', named: true } };
const REPO = { keys: { ...facts().keys, githubRepos: ['fern/core'] } };

test('OSV: only a tied repository is looked up, under both of its names; what was found is read in full', () => {
  const { plan } = endpointOf(osv, 'querybatch');
  assert.deepEqual(plan(facts({ ...REPO, learned: TIED })), [{ repo: 'fern/core' }]);
  assert.deepEqual(plan(facts({ ...REPO, learned: { 'github.repo': { repo: 'fern/core', named: false } } })), []);
  const reply = { results: [{}, { vulns: [{ id: 'GHSA-1', modified: NOW }, { id: 'GO-2' }], next_page_token: 'x' }] };
  const { learned } = said(osv, 'querybatch', { repo: 'fern/core' }, reply);
  const batch = {
    results: 2,
    ids: ['GHSA-1', 'GO-2'],
    pagesLeft: 1,
    found: [{ ecosystem: 'Go', name: 'github.com/fern/core' }],
  };
  assert.deepEqual(learned, { 'osv.batch': batch });
  assert.deepEqual(endpointOf(osv, 'query').plan(facts({ learned })), batch.found);
  assert.equal(said(osv, 'querybatch', {}, { results: [] }).outcome, 'malformed');
  assert.equal(said(osv, 'querybatch', {}, { code: 3, message: 'Invalid' }).outcome, 'error_reply');
});

test('OSV: an advisory is open while a range of this code has no end; other packages, withdrawn ones and unknown words do not count', () => {
  const params = { ecosystem: 'Go', name: 'github.com/fern/core' };
  const of = (name: string, events: Json[]) => ({
    package: { ecosystem: 'Go', name },
    ranges: [{ type: 'SEMVER', events }],
  });
  const advisory = (id: string, affected: unknown[], change: object = {}) => ({
    id,
    published: NOW,
    affected,
    ...change,
  });
  const rows = only(osv, 'query', params, {
    vulns: [
      advisory('A-OPEN', [of('github.com/fern/core', [{ introduced: '0' }])], {
        database_specific: { severity: 'MODERATE' },
      }),
      advisory('B-FIXED', [of('github.com/Fern/Core', [{ introduced: '0' }, { fixed: '2' }])], {
        database_specific: { severity: 'dire' },
      }),
      advisory('C-OTHER', [of('github.com/elm/core', [{ introduced: '0' }])]),
      advisory('D-GONE', [], { withdrawn: NOW }),
    ],
  });
  const list = rows[0]?.[1] as readonly {
    readonly id: string;
    readonly state: string;
    readonly severity: string | null;
  }[];
  assert.equal(rows[0]?.[0], 'advisories');
  assert.deepEqual(
    list.map(({ id, state, severity }) => [id, state, severity]),
    [
      ['A-OPEN', 'open', 'medium'],
      ['B-FIXED', 'fixed', null],
      ['C-OTHER', 'unknown', null],
    ],
  );
  assert.equal(said(osv, 'query', params, {}).outcome, 'empty');
});

test('crt.sh: domains that can be mistaken for the project’s, its own names and strangers left out', () => {
  const { plan } = endpointOf(crtSh, 'search');
  assert.deepEqual(
    plan(facts()).map(({ search }) => search),
    ['%fernwood%', 'femwood.%', 'fernw0od.%'].filter((row) => row !== 'femwood.%').concat('fernvvood.%'),
  );
  assert.deepEqual(plan(facts({ registrableDomain: 'sky.money' })), [], 'a short name is part of too many');
  const row = (names: string, from = '2026-10-01T00:00:00') => ({
    name_value: names,
    issuer_name: 'O=Any CA',
    not_before: from,
    not_after: '2027-01-01T00:00:00',
  });
  const params = { domain: 'fernwood.example', search: '%fernwood%' };
  const found = only(crtSh, 'search', params, [
    row('fernwood.example\n*.fernwood.example'),
    row('*.fernwo0d.example', '2026-09-01T00:00:00'),
    row('www.fernwo0d.example'),
    row('claim.fernwood-airdrop.net'),
    row('fernwood.net'),
    row('fernwood.github.io\nelm.example\n'),
  ]);
  const list = found[0]?.[1] as readonly {
    readonly domain: string;
    readonly kind: string;
    readonly certificates: number;
    readonly firstAt: string;
  }[];
  assert.deepEqual(
    list.map(({ domain, kind, certificates }) => [domain, kind, certificates]),
    [
      ['fernwo0d.example', 'confusable', 2],
      ['fernwood.net', 'same_name', 1],
      ['fernwood-airdrop.net', 'contains', 1],
    ],
  );
  assert.equal(list[0]?.firstAt, '2026-09-01T00:00:00.000Z');
  assert.equal(said(crtSh, 'search', params, []).outcome, 'empty');
});

const SAFE = '0x00000000000000000000000000000000000000a5';
const OWNED = { 'evm_rpc.owner': SAFE, 'evm_rpc.slot.admin': SAFE, [`evm_rpc.contract.${SAFE}`]: 'safe_proxy' };

test('Safe: contracts that own a token or replace its code are looked up once each', () => {
  const { plan } = endpointOf(safe, 'safe');
  const asked = { network: 'eth', account: SAFE, states: ['owner_state', 'proxy_admin_state'] };
  assert.deepEqual(plan(facts({ learned: OWNED })), [asked]);
  assert.deepEqual(plan(facts({ learned: { 'evm_rpc.owner': SAFE } })), [], 'a plain key is no Safe');
  assert.deepEqual(plan(facts({ learned: OWNED, chain: null })), []);
});

test('Safe: m of n owners; one signature is one key, a module acts alone, another account or an impossible threshold gives nothing', () => {
  const params = { network: 'eth', account: SAFE, states: ['owner_state', 'price_usd'] };
  const owners = [1, 2, 3].map((digit) => `0x${String(digit).repeat(40)}`);
  const reply = {
    address: SAFE.toUpperCase().replace('0X', '0x'),
    threshold: 2,
    owners,
    modules: [],
    version: '1.4.1',
  };
  const state = (change: object) => said(safe, 'safe', params, { ...reply, ...change }).drafts;
  assert.deepEqual(state({}), [{ quantity: 'owner_state', value: 'multisig', meaning: 'Safe 1.4.1: 2 of 3 owners' }]);
  assert.equal(state({ threshold: '1' })[0]?.value, 'eoa');
  assert.equal(state({ modules: [SAFE] })[0]?.value, 'contract');
  for (const change of [
    { threshold: 4 },
    { threshold: 0 },
    { threshold: null },
    { address: owners[0] },
    { owners: [owners[0], owners[0]] },
  ])
    assert.deepEqual(state(change), [], JSON.stringify(change));
});

const TOKEN = `0x${'7'.repeat(40)}`;
const ASKED = { spaces: ['fern.eth'], domain: null, addresses: [TOKEN] };
const SECONDS = Date.parse(NOW) / 1_000;
const proposal = (at: number, change: object = {}) => ({
  id: `0x${String(at).padStart(64, '0')}`,
  end: SECONDS - at * 86_400,
  votes: 100 * at,
  scores_total: 1_000 * at,
  scores_state: 'final',
  space: { id: 'fern.eth' },
  strategies: [{ name: 'erc20-balance-of', params: { address: TOKEN.toUpperCase().replace('0X', '0x') } }],
  ...change,
});
const proposals = (rows: unknown[]) => ({ data: { proposals: rows } });

test('Snapshot’s votes: counted proposals in which the asset votes', () => {
  const rows = [
    proposal(1),
    proposal(2),
    proposal(3),
    proposal(400),
    proposal(4, { scores_state: 'pending' }),
    proposal(5, { strategies: [{ params: { address: `0x${'8'.repeat(40)}` } }] }),
    proposal(6, { space: { id: 'other.eth' } }),
    proposal(-7),
  ];
  assert.deepEqual(only(snapshotVotes, 'proposals', ASKED, proposals(rows)), [
    ['governance_proposals_365d', 3],
    ['governance_voters', 250],
    ['governance_votes_cast', 2_500],
  ]);
  const { learned } = said(snapshotVotes, 'proposals', ASKED, proposals(rows));
  assert.deepEqual(learned, { 'snapshot_votes.proposal': { id: proposal(1).id, power: 1_000 } });
  assert.deepEqual(endpointOf(snapshotVotes, 'votes').plan(facts({ learned })), [
    { proposal: proposal(1).id, power: 1_000 },
  ]);
  assert.equal(said(snapshotVotes, 'proposals', ASKED, { errors: [{ message: 'x' }] }).outcome, 'malformed');
});

test('Snapshot’s votes: the share of the ten largest; more than all is rejected', () => {
  const votes = (vp: unknown) => ({
    data: {
      votes: [
        { voter: '0x1', vp },
        { voter: '0x2', vp: 100 },
      ],
    },
  });
  const share = (vp: unknown) =>
    said(snapshotVotes, 'votes', { proposal: 'x', power: 1_000 }, votes(vp)).drafts[0]?.value;
  assert.deepEqual([share(500), share('150.0'), share(5_000), share(null)], [0.6, 0.25, undefined, 0.1]);
});
