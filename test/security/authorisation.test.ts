import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { SCOPES, type Scope } from '../../src/access/keys.ts';
import { type TestService, testService } from '../support/service.ts';
import { ACCESS, INCLUDED } from './access-table.ts';
import { ask, type Got } from './http-request.ts';
import { routeList } from './route-list.ts';
import { tally } from './tally.ts';

let world: TestService;
let agent: Agent;
let asked = 0;

interface NewKey {
  readonly id: string;
  readonly secret: string;
  readonly account_id: string;
}
const makeKey = async (body: object): Promise<NewKey> => {
  const reply = await world.call('/v1/admin/keys', { json: { name: 'of the matrix', ...body } });
  const made = (await reply.json()) as NewKey;
  assert.equal(reply.status, 201, JSON.stringify(made));
  return made;
};
/** A path with something in the place of each parameter that does no harm. */
const pathOf = (route: string) =>
  (route.split(' ')[1] ?? '')
    .replace('/v1/:chain', '/v1/ethereum')
    .replaceAll(/:(asset|reference|id|delivery|name|version)/g, 'nothing');
async function reach(route: string, key: string | null): Promise<Got & { readonly code: unknown }> {
  const [method = 'GET'] = route.split(' ');
  const takesBody = method === 'POST' || method === 'PUT';
  const headers: Record<string, string> = { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) };
  const got = await ask(agent, world.service.url, {
    method,
    path: pathOf(route),
    headers,
    body: takesBody ? '{}' : null,
  });
  asked += 1;
  const isProblem = got.headers['content-type']?.startsWith('application/problem+json');
  return { ...got, code: isProblem ? (JSON.parse(got.body.toString()) as { code: unknown }).code : null };
}

before(async () => {
  world = await testService();
  agent = new Agent({ keepAlive: true });
});
after(async () => {
  agent.destroy();
  await world.close();
  tally({ part: 'authorisation', claim: 'every route keeps out whom the declared table keeps out', tried: asked });
});

const allScopes = SCOPES.filter((scope) => scope !== 'admin');
const routes = Object.keys(ACCESS);

describe('access by scopes', () => {
  test('every route of the service is declared, and every declared one exists', async () => {
    assert.deepEqual([...(await routeList())].sort(), [...routes].sort());
  });

  test('without a key, or with an invalid one, only open routes reply', async () => {
    const revoked = await makeKey({ scopes: SCOPES, plan: 'INTERNAL' });
    assert.equal((await world.call(`/v1/admin/keys/${revoked.id}`, { method: 'DELETE' })).status, 204);
    const expired = await makeKey({
      scopes: SCOPES,
      plan: 'INTERNAL',
      expires_at: new Date(Date.now() + 300).toISOString(),
    });
    const elsewhere = await makeKey({ scopes: SCOPES, plan: 'INTERNAL', allowed_ips: ['10.0.0.0/8', '2001:db8::/32'] });
    const foreignPlan = await makeKey({ scopes: allScopes, plan: 'GONE' }).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, 350));
    const refused = [
      [null, 401, 'missing_api_key'],
      ['ak_live_AAAAAAAAAAAAAAAAAAAAAAAAAA_000000', 401, 'invalid_api_key'],
      [`${world.key}x`, 401, 'invalid_api_key'],
      [revoked.secret, 401, 'invalid_api_key'],
      [expired.secret, 401, 'expired_api_key'],
      [elsewhere.secret, 403, 'ip_not_allowed'],
      ...(foreignPlan ? [[foreignPlan.secret, 403, 'unknown_plan'] as const] : []),
    ] as const;
    for (const route of routes) {
      const [need] = ACCESS[route] ?? ['open'];
      for (const [key, status, code] of refused) {
        const got = await reach(route, key);
        if (need === 'open') assert.ok(![401, 403].includes(got.status), `${route} is open`);
        else if (code === 'unknown_plan') assert.equal(got.status, 403, `${route} ${code}`);
        else assert.deepEqual([got.status, got.code], [status, code], `${route} with ${code}`);
      }
    }
  });

  test('a key has the permissions of its scopes, and no more', async () => {
    for (const scope of SCOPES) {
      const { secret } = await makeKey({ scopes: [scope], plan: 'INTERNAL' });
      for (const route of routes) {
        const [need] = ACCESS[route] ?? ['open'];
        const may = typeof need === 'string' || scope === 'admin' || need.includes(scope as Scope);
        const got = await reach(route, secret);
        if (may) assert.ok(![401, 403].includes(got.status), `${scope} may ${route}: ${got.status} ${got.code}`);
        else assert.deepEqual([got.status, got.code], [403, 'missing_scope'], `${scope} may not ${route}`);
      }
    }
  });

  test('a plan gives what it includes, and nothing else, whatever scopes its keys have', async () => {
    for (const [plan, included] of Object.entries(INCLUDED)) {
      const { secret } = await makeKey({ scopes: allScopes, plan });
      for (const route of routes) {
        const [need, goods] = ACCESS[route] ?? ['open', null];
        const got = await reach(route, secret);
        if (need !== 'open' && need !== 'any' && need.includes('admin'))
          assert.equal(got.status, 403, `${plan} is no administrator: ${route}`);
        else if (goods === null || included.includes(goods))
          assert.ok(![401, 403].includes(got.status), `${plan} includes ${route}: ${got.status} ${got.code}`);
        else assert.deepEqual([got.status, got.code], [403, 'plan_does_not_include'], `${plan} leaves out ${route}`);
      }
    }
  });
});
