import { loadPlans } from '../../src/access/plans/plans.ts';
import type { ApiContext } from '../../src/api/context.ts';
import { buildServer } from '../../src/api/server.ts';

/** Every route that the service has when all its parts are there, as in `GET /v1/rms/:asset`; HEAD is GET's. */
export async function routeList(): Promise<readonly string[]> {
  const nothing = { scoringPath: '/v1/score', bodyLimitBytes: 65_536, corsOrigins: [] };
  const parts = [
    'alerts',
    'webhooks',
    'ratingChanges',
    'usage',
    'ratings',
    'disclosures',
    'chain',
    'scoring',
    'access',
    'bulk',
    'log',
    'purchaseOf',
    'setup',
    'attestations',
  ];
  const context = { ...nothing, dataMode: 'sandbox', version: '0', methodologyJson: '{}', plans: loadPlans(null) };
  const stubs = Object.fromEntries(
    [...parts, 'limiter', 'signingKeys', 'attestationKeys', 'ready'].map((name) => [name, stub()]),
  );
  const server = await buildServer({ ...stubs, ...context } as unknown as ApiContext, false);
  await server.ready();
  const tree = server.printRoutes({ commonPrefix: false });
  await server.close();
  return readTree(tree);
}

/** Reads what find-my-way draws: a line for each node, four characters a level. */
function readTree(tree: string): readonly string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^([│ ├└─]*)(\S+)(?: \((.+)\))?$/.exec(line);
    if (!found) return [];
    const level = Math.round((found[1] ?? '').length / 4) - 1;
    above.length = Math.max(0, level);
    const path = `${above.join('')}${found[2]}`.replaceAll(/\|:\w+/g, '');
    above[level] = found[2] ?? '';
    const methods = (found[3] ?? '').split(', ').filter((method) => method !== '' && method !== 'HEAD');
    return methods.map((method) => `${method} ${path}`);
  });
}

/** Stands for any part: whatever is asked of it is such a thing again, but for the size of a cache. */
function stub(): unknown {
  return new Proxy(() => undefined, {
    get: (_target, name) => (name === 'then' ? undefined : name === 'hotBytes' ? 1_000_000 : stub()),
    apply: () => stub(),
  });
}
