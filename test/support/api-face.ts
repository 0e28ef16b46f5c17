import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { clientAddressReader, createAccess } from '../../src/access/access.ts';
import type { Scope } from '../../src/access/keys.ts';
import { loadPlans } from '../../src/access/plans/plans.ts';
import { createSharedLimiter } from '../../src/access/plans/shared-limiter.ts';
import type { ApiContext } from '../../src/api/context.ts';
import { buildServer } from '../../src/api/server.ts';
import type { Store } from '../../src/store/database.ts';

export interface ApiFace {
  readonly url: string;
  /** A new key of an account of its own. */
  key(plan: string, scopes?: readonly Scope[]): Promise<string>;
  /** One request, with a key that may do what the tests are about unless another is given. */
  get(
    path: string,
    options?: { key?: string; headers?: Record<string, string>; method?: string; body?: unknown },
  ): Promise<Response>;
  /** The router alone: what it answers with nothing before it. */
  readonly inject: FastifyInstance['inject'];
  readonly close: () => Promise<void>;
}

/** What a test has nothing to do with: using it is a mistake of the test. */
export const unused = new Proxy({}, { get: () => () => Promise.reject(new Error('not here')) });

/** The HTTP face on real sockets and with real keys, over the services a test is about. */
export async function openApiFace(
  db: Store['db'],
  clock: { readonly now: number },
  scope: Scope,
  services: Pick<ApiContext, 'chain'> & Partial<ApiContext>,
): Promise<ApiFace> {
  const access = createAccess(db, Date.now, randomBytes);
  const server = await buildServer(
    {
      dataMode: 'sandbox',
      version: '0.0.0',
      scoringPath: '/v1/score',
      scoreDeadlineSeconds: 60,
      scoreDeadlineMaxSeconds: 300,
      bodyLimitBytes: 65_536,
      corsOrigins: [],
      publicPages: true,
      clientAddress: clientAddressReader(false),
      takeStream: async () => () => undefined,
      scoring: { ...unused, underWay: async () => null } as unknown as ApiContext['scoring'],
      sourceTitles: new Map(),
      committee: () => Promise.reject(new Error('not here')),
      access,
      judgeUrl: () => ({ ok: true }) as never,
      methodologyJson: '{}',
      methodologyHash: 'none',
      now: () => clock.now,
      ready: async () => ({ ok: true, checks: {} }),
      onRequest: () => undefined,
      plans: loadPlans(null),
      limiter: createSharedLimiter({ lease: null, now: () => 0, elapsed: () => 0 }),
      signingKeys: async () => [],
      attestationKeys: async () => [],
      ...services,
    },
    false,
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const key = async (plan: string, scopes: readonly Scope[] = [scope]) =>
    (await access.create({ name: plan, scopes, plan, expiresAt: null, accountId: null, allowedIps: [] })).secret;
  const usual = await key('INTERNAL');
  return {
    url,
    key,
    get: (path, { key: other, headers = {}, method = 'GET', body } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          'x-api-key': other ?? usual,
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    inject: server.inject.bind(server),
    close: () => server.close(),
  };
}
