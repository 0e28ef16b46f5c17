import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Upstream, UpstreamRequest } from '../upstream/index.ts';
import { repositoryHostBy } from './appeal-repository.ts';

type Reply = { readonly status: number; readonly json?: unknown; readonly fromCache?: boolean };

/** GitHub as these replies have it, by path without its query. */
function hosting(replies: Readonly<Record<string, Reply | ((page: string) => Reply)>>, key: string | null = null) {
  const asked: UpstreamRequest[] = [];
  const clock = { now: 0 };
  const upstream = {
    async request(request: UpstreamRequest) {
      asked.push(request);
      const { pathname, searchParams } = new URL(request.url);
      const found = replies[pathname] ?? { status: 404 };
      const reply = typeof found === 'function' ? found(searchParams.get('page') ?? '') : found;
      const { status, json = {}, fromCache = false } = reply;
      const body = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
      return status === 200 || status === 404 ? { ok: true, status, body, fromCache } : { ok: false, status };
    },
  } as unknown as Upstream;
  const source = { name: 'github', key: { header: 'authorization', prefix: 'Bearer ' } };
  const book = new Map([
    ['github', { enabled: true, bases: { main: 'https://api.github.example' }, source, key }],
  ]) as never;
  return { host: repositoryHostBy({ book, upstream }, () => clock.now), asked, clock };
}
const REPOSITORY = {
  full_name: 'Tide-Labs/core',
  created_at: '2023-01-01T00:00:00Z',
  owner: { login: 'Tide-Labs', type: 'Organization' },
};

test('a repository counts only under its current name', async () => {
  const { host, asked } = hosting({ '/repos/tide-labs/core': { status: 200, json: REPOSITORY } }, 'secret');
  const found = await host.repository('tide-labs/core');
  assert.deepEqual(found, { ok: true, value: { ownerIsPerson: false, createdAt: REPOSITORY.created_at } });
  assert.partialDeepStrictEqual(asked[0], {
    label: 'github',
    priority: 'background',
    maxRedirects: 0,
    secretHeaders: { authorization: 'Bearer secret' },
  });
  for (const reply of [
    { status: 404 },
    { status: 301 },
    { status: 403 },
    { status: 200, json: { ...REPOSITORY, full_name: 'Other/core' } },
    { status: 200, json: { message: 'hm' } },
    { status: 200, json: '<html>' },
  ]) {
    const refused = await hosting({ '/repos/tide-labs/core': reply }).host.repository('tide-labs/core');
    assert.equal(refused.ok, false, JSON.stringify(reply));
    assert.ok(!JSON.stringify(refused).includes('github.example'), 'no address is told');
  }
});

test('members are looked for on five pages at most', async () => {
  const page = (count: number, login = 'x') => Array.from({ length: count }, () => ({ login }));
  const path = '/orgs/tide/public_members';
  const on = (pages: readonly (readonly object[])[]) =>
    hosting({ [path]: (number) => ({ status: 200, json: pages[Number(number) - 1] ?? [] }) });
  assert.deepEqual(await on([page(2, 'Ann')]).host.isPublicMember('tide', 'ann'), { ok: true, value: true });
  assert.deepEqual(await on([page(2)]).host.isPublicMember('tide', 'ann'), { ok: true, value: false });
  assert.deepEqual(await on([page(100), page(1, 'ann')]).host.isPublicMember('tide', 'ann'), { ok: true, value: true });
  const large = on(Array.from({ length: 9 }, () => page(100)));
  assert.equal((await large.host.isPublicMember('tide', 'ann')).ok, false);
  assert.equal(large.asked.length, 5);
  assert.deepEqual(await hosting({}).host.isPublicMember('tide', 'ann'), { ok: true, value: false });
});

test('keys that GitHub calls revoked, and commits of another committer or without a good signature, are left out', async () => {
  const good = { verified: true, signature: 's', payload: 'p', verified_at: '2026-01-01T00:00:00Z' };
  const commit = (login: string | null, verification: object | null) => ({
    commit: { committer: { email: 'a@b.example' }, verification },
    committer: login === null ? null : { login },
  });
  const { host, asked } = hosting({
    '/users/ann/gpg_keys': {
      status: 200,
      json: [
        { raw_key: 'one', revoked: false },
        { raw_key: 'two', revoked: true },
        { raw_key: null },
        { raw_key: 'three' },
      ],
    },
    '/repos/tide/core/commits': {
      status: 200,
      json: [
        commit('Ann', good),
        commit('web-flow', good),
        commit('bob', good),
        commit(null, good),
        commit('ann', { ...good, verified: false }),
        commit('ann', { ...good, verified_at: null }),
        commit('ann', { ...good, signature: null }),
        commit('ann', null),
      ],
    },
  });
  assert.deepEqual(await host.keysOf('ann'), { ok: true, value: ['one', 'three'] });
  const commits = await host.commitsOf('tide/core', 'ann', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z');
  assert.deepEqual(commits, { ok: true, value: [{ signature: 's', payload: 'p', verifiedAt: good.verified_at }] });
  const { searchParams } = new URL(asked.at(-1)?.url ?? '');
  assert.deepEqual(Object.fromEntries(searchParams), {
    committer: 'ann',
    since: '2025-01-01T00:00:00Z',
    until: '2026-01-01T00:00:00Z',
    per_page: '100',
  });
});

test('proofs use at most twenty requests an hour of GitHub’s quota without a token; shared replies are free', async () => {
  const { host, asked, clock } = hosting({});
  for (let count = 0; count < 30; count += 1) await host.keysOf(`someone-${count}`);
  assert.equal(asked.length, 20);
  const refused = await host.keysOf('ann');
  assert.match(refused.ok ? '' : refused.detail, /as often for proofs as an hour allows/);
  clock.now += 3_600_000;
  assert.equal((await host.keysOf('ann')).ok, true);
  const shared = hosting({ '/users/ann/gpg_keys': { status: 200, json: [], fromCache: true } });
  for (let count = 0; count < 40; count += 1) assert.equal((await shared.host.keysOf('ann')).ok, true);
  const token = hosting({}, 'secret');
  for (let count = 0; count < 510; count += 1) await token.host.keysOf(`someone-${count}`);
  assert.equal(token.asked.length, 500);
});

test('GitHub that is switched off is not requested', async () => {
  const book = new Map([['github', { enabled: false, bases: {}, source: {}, key: null }]]) as never;
  const host = repositoryHostBy({ book, upstream: {} as Upstream }, () => 0);
  assert.equal((await host.repository('a/b')).ok, false);
});
