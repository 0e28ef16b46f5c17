import type { FastifyRequest } from 'fastify';
import type { Plan } from '../../access/index.ts';
import type { Chain } from '../../chains/index.ts';
import {
  ChainEventStream,
  ChainParams,
  EventHeaders,
  problems,
  type Reply,
  type StreamBye,
  type StreamGap,
  type StreamOpened,
  StreamQuery,
  type StreamReorganised,
  type StreamSkipped,
} from '../../contract/index.ts';
import { HOUR_MS, SNAPSHOT_KINDS } from '../../domain/index.ts';
import type { SnapshotMark } from '../../indexer/index.ts';
import { assetProblem, type ChainRouting, plannedChain } from '../chain/chain-routing.ts';
import { MOST_SUBSCRIBERS, type SnapshotFeed, type Subject, type Subscriber } from '../chain/snapshot-feed.ts';
import { type HotSnapshot, hotSnapshot, type ReadyReply } from '../hot/hot-snapshot.ts';
import {
  CHECK_KEY_EVERY_MS,
  eventStream,
  isStillAllowed,
  lastEventId,
  NO_LONGER_ALLOWED,
  sendEvents,
  takeStream,
} from '../replies/event-stream.ts';
import { allowedBy, refuse, refuseField } from '../replies/problems.ts';
import { accountOf, keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const DESCRIPTION = [
  'Snapshots of chosen assets as they are stored, by whichever process stores them: events `snapshot`, whose data is what the route of that kind replies. The stream begins with the newest of each; `open` names what it follows. For plans that are served the newest (`stream_assets` in GET /v1/plans).',
  '`Last-Event-ID` continues after that event: what was stored since is sent, oldest first, at most 20 snapshots of each asset and kind and an hour back; `gap` states what is left out. It may be sent again what it has: of an asset and kind, what is not newer by `as_of`.',
  'To a reader that is slower than what is stored, the newest snapshot of an asset is sent in place of those that waited, after `skipped` with their number; a reader that takes nothing for 10 seconds is disconnected. `reorganised` states that blocks were removed in which something happened at an asset’s pools (where the operator’s node is subscribed to): snapshots of it from before may rest on them, and new ones follow. `bye` states that the process stops; `end` that the key no longer allows the stream, within about three seconds.',
].join('\n\n');

/** Streams snapshots of chosen assets as they are stored. */
export function chainStreamRoutes(server: Routes, routing: ChainRouting, feed: SnapshotFeed): void {
  const { context } = routing;
  server.get(
    '/v1/:chain/stream',
    {
      ...keyed('chain:read', 'chain data', {
        operationId: 'streamChain',
        summary: 'Snapshots of chosen assets as server-sent events',
        description: DESCRIPTION,
        params: ChainParams,
        querystring: StreamQuery,
        headers: EventHeaders,
        response: { 200: eventStream(ChainEventStream), ...problems(400, 401, 403, 404, 409, 429, 503) },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const chain = plannedChain(routing, request, null, 'snapshots');
      const most = allowedBy(planOf(request), routing.plans, 'streamAssets', 'streams of chain data');
      const kinds = SNAPSHOT_KINDS.filter((kind) => request.query.kinds.split(',').includes(kind));
      const assetIds = await assetsOf(routing, request, chain, { named: request.query.assets, most });
      const subjects = kinds.flatMap((kind) => assetIds.map((assetId) => ({ assetId, kind })));
      const giveBack = await takeStream(context, request);
      const after = lastEventId(request);
      const position = after === null ? null : Math.min(after, context.now());
      const subscriber = feed.subscribe(subjects, position ?? context.now());
      try {
        if (subscriber === null) return refuse(TOO_MANY);
        const opened: Reply<typeof StreamOpened> = { assets: assetIds, kinds };
        const opening = `retry: ${RETRY_MS}\n${eventText('open', opened)}`;
        const stream = { routing, request, chain, subjects, subscriber };
        await sendEvents(reply, opening, (gone) => eventTexts(stream, position, gone));
      } finally {
        subscriber?.close();
        giveBack();
      }
      return reply;
    },
  );
}

/** Delay before a reader reconnects, milliseconds. */
const RETRY_MS = 2_000;
/** When a process stops, its readers reconnect spread over this time. */
const SPREAD_MS = 3_000;
/**
 * A stream can be resumed from an event of the last hour. The next constant limits the snapshots resent per asset and
 * kind.
 */
const RESUMABLE_MS = HOUR_MS;
const MOST_AGAIN = 20;
/**
 * A snapshot becomes visible to others up to this long after its stored time, because of its transaction and clock
 * differences.
 */
const MARGIN_MS = 15_000;
/**
 * An idle stream sends its position this often, without an event. Otherwise its last id would become too old to resume
 * from.
 */
const IDLE_MS = 60_000;
/**
 * Within this time the process's listener is notified of stored snapshots, even if its connection was lost and
 * restored.
 */
const LONGEST_AWAY_MS = 300_000;
const TOO_MANY = {
  status: 503,
  code: 'overloaded',
  title: 'Too many streams are open',
  detail: `This process serves ${MOST_SUBSCRIBERS} streams of chain data at a time; try again later.`,
  retry: 'after',
  headers: { 'retry-after': '10' },
} as const;

/**
 * Ids of the assets named in the request or, without names, of those that the account has requested. Without
 * duplicates.
 */
async function assetsOf(
  routing: ChainRouting,
  request: FastifyRequest,
  chain: Chain,
  { named, most }: { readonly named: string | undefined; readonly most: number },
): Promise<readonly string[]> {
  const tooMany = (given: string) =>
    refuseField(
      '/assets',
      'too_many',
      `${given}; a stream of the plan ${planOf(request).name} follows at most ${most}`,
    );
  if (named === undefined) {
    const page = { accountId: accountOf(request), mine: true, after: '', limit: most + 1 };
    const own = await routing.services.index.list(chain.name, page);
    if (own.length === 0)
      refuseField('/assets', 'missing', 'name assets: the account has requested indexing of none on this chain');
    if (own.length > most) tooMany('the account has requested indexing of more assets');
    return own.map(({ asset }) => asset.id);
  }
  const texts = [...new Set(named.split(','))];
  if (texts.length > most) tooMany(`got ${texts.length}`);
  const ids = new Set<string>();
  for (const text of texts) {
    const outcome = await routing.lookup.find(chain, text);
    ids.add(outcome.ok ? outcome.asset.id : refuse(assetProblem(routing, request, chain, outcome)));
  }
  return [...ids];
}

interface Stream {
  readonly routing: ChainRouting;
  readonly request: FastifyRequest;
  readonly chain: Chain;
  readonly subjects: readonly Subject[];
  readonly subscriber: Subscriber;
}

/** Texts of the stream, while the key may read it and the process is running. */
async function* eventTexts(stream: Stream, position: number | null, gone: AbortSignal): AsyncGenerator<string> {
  const { routing, request, chain, subscriber } = stream;
  const { context, cache } = routing;
  const stopping = context.stopping ?? new AbortController().signal;
  const signal = AbortSignal.any([gone, stopping]);
  const need = { scope: 'chain:read', chain: chain.name, exportOf: null } as const;
  const mayStream = (plan: Plan) => plan.streamAssets > 0;
  let checkedAt = performance.now();
  let idleSince = checkedAt;
  if (position === null) subscriber.begin(context.now());
  else yield* missed(stream, position, signal);
  while (!signal.aborted) {
    const entry = await subscriber.next(CHECK_KEY_EVERY_MS, signal);
    if (performance.now() - checkedAt >= CHECK_KEY_EVERY_MS) {
      checkedAt = performance.now();
      if (!(await isStillAllowed(context, request, need, mayStream))) {
        yield NO_LONGER_ALLOWED;
        return;
      }
    }
    for (const { assetId, block, noticedAt } of subscriber.reorganisations()) {
      const told: Reply<typeof StreamReorganised> = { asset_id: assetId, block, noticed_at: noticedAt };
      yield eventText('reorganised', told);
    }
    if (entry === null) {
      if (performance.now() - idleSince < IDLE_MS) continue;
      idleSince = performance.now();
      subscriber.passed(context.now() - LONGEST_AWAY_MS);
      if (subscriber.sentUntil !== null) yield `id: ${subscriber.sentUntil}\n\n`;
      continue;
    }
    idleSince = performance.now();
    const { assetId, kind } = entry;
    const snapshot = await cache.load({ assetId, kind, point: null, shape: 'all' }, (stored) => stored);
    const skipped = snapshot && subscriber.sent(entry, snapshot, entry);
    if (snapshot === null || skipped === null) continue;
    const told: Reply<typeof StreamSkipped> = { asset_id: assetId, kind, skipped };
    if (skipped > 0) yield eventText('skipped', told);
    yield snapshotText(snapshot, context.now(), subscriber.sentUntil);
  }
  if (stopping.aborted && !gone.aborted) {
    const retryAfterMs = RETRY_MS + Math.round(Math.random() * SPREAD_MS);
    const bye: Reply<typeof StreamBye> = { reason: 'this process stops', retry_after_ms: retryAfterMs };
    yield `retry: ${retryAfterMs}\n${eventText('bye', bye)}`;
  }
}

/**
 * Snapshots stored since the event with this number, within the limits of resending. The number is the time in
 * milliseconds until which everything stored had been sent.
 */
async function* missed(
  { routing, subjects, subscriber }: Stream,
  position: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { context, services } = routing;
  const now = context.now();
  const gap = ({ assetId, kind }: Subject, to: string) => {
    const from = new Date(position).toISOString();
    const told: Reply<typeof StreamGap> = { asset_id: assetId, kind, from, to };
    return eventText('gap', told);
  };
  if (position < now - RESUMABLE_MS) {
    for (const subject of subjects) yield gap(subject, new Date(now).toISOString());
    subscriber.begin(now);
    return;
  }
  const wanted = {
    assetIds: [...new Set(subjects.map(({ assetId }) => assetId))],
    kinds: [...new Set(subjects.map(({ kind }) => kind))],
  };
  const since = new Date(position - MARGIN_MS).toISOString();
  const marks = await services.reader.storedSince(wanted, since, MOST_AGAIN + 1);
  const tooOld = new Set<SnapshotMark>();
  for (const group of Map.groupBy(marks, ({ assetId, kind }) => `${kind} ${assetId}`).values()) {
    if (group.length <= MOST_AGAIN) continue;
    const [oldest, first] = group.toSorted((a, b) => Date.parse(a.asOf) - Date.parse(b.asOf));
    if (oldest === undefined || first === undefined) continue;
    tooOld.add(oldest);
    yield gap(first, first.storedAt);
  }
  for (const mark of marks) {
    if (signal.aborted) return;
    if (tooOld.has(mark)) continue;
    const stored = await services.reader.asOf(mark.assetId, mark.kind, mark.asOf);
    if (stored === null) continue;
    const snapshot = hotSnapshot(stored, context.dataMode);
    if (subscriber.sent(mark, snapshot) !== null) yield snapshotText(snapshot, context.now(), subscriber.sentUntil);
  }
}

function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const texts = new WeakMap<ReadyReply, string>();

/**
 * Text of a snapshot, shared by all readers that receive it within the same second. Without an id until the initial
 * snapshots are complete, because resuming after it would skip the rest.
 */
function snapshotText(snapshot: HotSnapshot, now: number, sentUntil: number | null): string {
  const ready = snapshot.reply(now);
  let text = texts.get(ready);
  if (text === undefined) {
    // A stored object can contain a line break only between its members; it would end the event.
    text = `event: snapshot\ndata: ${ready.bytes.toString('utf8').replaceAll(/[\r\n]/g, ' ')}\n\n`;
    texts.set(ready, text);
  }
  return sentUntil === null ? text : `id: ${sentUntil}\n${text}`;
}
