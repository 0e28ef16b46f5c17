/** Endpoints as usage and service level are told by. */
export type EndpointGroup = (typeof ENDPOINT_GROUPS)[number];
export const ENDPOINT_GROUPS = [
  'score',
  'jobs',
  'rms',
  'chain',
  'exports',
  'alerts',
  'watchlist',
  'webhooks',
  'usage',
  'admin',
  'other',
] as const;

/** Ends the name of a route whose requests have ratings made anew. */
export const FRESH = '?fresh=true';

const PREFIXES: readonly (readonly [prefix: string, group: EndpointGroup])[] = [
  ['/v1/score', 'score'],
  ['/v1/jobs', 'jobs'],
  ['/v1/exports', 'exports'],
  ['/v1/rms/whitelist', 'watchlist'],
  ['/v1/rms', 'rms'],
  ['/v1/disputes', 'rms'],
  ['/v1/alerts', 'alerts'],
  ['/v1/webhooks', 'webhooks'],
  ['/v1/usage', 'usage'],
  ['/v1/admin', 'admin'],
  ['/v1/solana', 'chain'],
  ['/v1/:chain', 'chain'],
  ['/v1/chains', 'chain'],
];
const MOST_REMEMBERED = 1_000;

/** Groups routes, named as the router names them; `other` for what has no group. `scoringPath` may be the operator's. */
export function endpointGroups(scoringPath: string): (route: string) => EndpointGroup {
  const known = new Map<string, EndpointGroup>([[scoringPath, 'score']]);
  return (route) => {
    const found = known.get(route);
    if (found !== undefined) return found;
    const group = groupByName(route);
    if (known.size < MOST_REMEMBERED) known.set(route, group);
    return group;
  };
}

function groupByName(route: string): EndpointGroup {
  if (route.endsWith(FRESH)) return 'score';
  if (route.includes('/exports')) return 'exports';
  return PREFIXES.find(([prefix]) => route.startsWith(prefix))?.[1] ?? 'other';
}
