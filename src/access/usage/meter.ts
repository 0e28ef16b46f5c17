import { DAY_MS } from '../../domain/index.ts';
import type { addUsage, UsageRow } from '../../store/index.ts';
import type { ApiKey } from '../keys.ts';

export interface UsageMeterOptions {
  /** Unique to this run of the process. */
  readonly processId: string;
  readonly add: (flush: Parameters<typeof addUsage>[1]) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

type Counts = { -readonly [Name in keyof UsageRow]: UsageRow[Name] };
/** Counts of one key on one day under one plan. */
interface KeyCounts {
  readonly day: string;
  readonly key: ApiKey;
  readonly groups: Map<EndpointGroup, Counts>;
}

/** Half of the second that a killed process may lose; the other half is for the flush itself. */
const EVERY_MS = 500;

/**
 * Counts requests by account, key, day, endpoint group and plan, in memory, and writes them to the store twice a
 * second. A killed process loses at most one second. A flush whose reply was lost is sent again under the same number
 * and counts once. While the store is unavailable, counts of the same kind are added up, so that memory is bounded by
 * keys, days and groups and not by requests.
 */
export function createUsageMeter(options: UsageMeterOptions) {
  const { now, everyMs = EVERY_MS } = options;
  let keys = new Map<string, KeyCounts>();
  /** Counts of keys whose day or plan has changed since. */
  let earlier: Counts[] = [];
  let unsent: { readonly sequence: number; readonly rows: readonly UsageRow[] } | null = null;
  let sequence = 0;
  let running: Promise<void> | null = null;
  let day = '';
  let dayEnds = 0;

  function dayOf(at: number): string {
    if (at >= dayEnds || at < dayEnds - DAY_MS) {
      day = new Date(at).toISOString().slice(0, 10);
      dayEnds = Date.parse(day) + DAY_MS;
    }
    return day;
  }

  function countsOf(key: ApiKey, group: EndpointGroup, at: number): Counts {
    const date = dayOf(at);
    let of = keys.get(key.id);
    if (of === undefined || of.day !== date || of.key.plan !== key.plan) {
      if (of) earlier.push(...of.groups.values());
      of = { day: date, key, groups: new Map() };
      keys.set(key.id, of);
    }
    let counts = of.groups.get(group);
    if (counts === undefined) {
      const { accountId, id: keyId, plan } = key;
      counts = { accountId, keyId, day: date, group, plan, requests: 0, billable: 0, refused: 0, errors: 0, bytes: 0 };
      of.groups.set(group, counts);
    }
    return counts;
  }

  async function run(): Promise<void> {
    if (unsent === null) {
      const rows = merged([...earlier, ...[...keys.values()].flatMap(({ groups }) => [...groups.values()])]);
      if (rows.length === 0) return;
      sequence += 1;
      unsent = { sequence, rows };
      keys = new Map();
      earlier = [];
    }
    try {
      await options.add({ processId: options.processId, at: new Date(now()).toISOString(), ...unsent });
      unsent = null;
    } catch (error) {
      // The same rows are sent again under the same number, because it is unknown whether they arrived.
      options.onError(error);
    }
  }

  function flush(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  const timer = setInterval(() => void flush(), everyMs).unref();
  return {
    /** Counts one request of a key that finished at `at` (ms). Synchronous. `bytes`: size of the reply body as sent. */
    count(key: ApiKey, group: EndpointGroup, status: number, bytes: number, at: number): void {
      const counts = countsOf(key, group, at);
      counts.requests += 1;
      counts.bytes += bytes;
      if (status === 429) counts.refused += 1;
      else if (status >= 500) counts.errors += 1;
      else if (status !== 304) counts.billable += 1;
    },
    /** Writes the counts since the last flush to the store. */
    flush,
    async close(): Promise<void> {
      clearInterval(timer);
      // The running flush, the counts made since, and one retry.
      for (let turn = 0; turn < 3; turn += 1) await flush();
    },
  };
}

/** One row per kind: the store does not add to the same row twice in one flush. */
function merged(rows: readonly Counts[]): readonly UsageRow[] {
  const byKind = new Map<string, Counts>();
  for (const row of rows) {
    const kind = `${row.keyId} ${row.day} ${row.group} ${row.plan}`;
    const sum = byKind.get(kind);
    if (sum === undefined) byKind.set(kind, { ...row });
    else for (const name of ['requests', 'billable', 'refused', 'errors', 'bytes'] as const) sum[name] += row[name];
  }
  return [...byKind.values()];
}

/** Groups of endpoints by which usage and service level are reported. */
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

/** Suffix of the route name for requests that create fresh ratings. */
export const FRESH = '?fresh=true';

const PREFIXES: readonly (readonly [prefix: string, group: EndpointGroup])[] = [
  ['/v1/score', 'score'],
  ['/v1/jobs', 'jobs'],
  ['/v1/exports', 'exports'],
  ['/v1/rms/whitelist', 'watchlist'],
  ['/v1/rms', 'rms'],
  ['/v1/policy', 'rms'],
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

/** Maps routes, by the router's names, to groups; `other` if there is none. The operator may change `scoringPath`. */
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
