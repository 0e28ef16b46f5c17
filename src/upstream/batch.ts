import { createHash } from 'node:crypto';
import { type Budget, NOTICEABLE_MS, ORDER, type Turn } from './budget.ts';
import {
  abandonedFailure,
  budgetFailure,
  CANCELLED,
  createRedactor,
  Fault,
  LEAST_RETRY_MS,
  stopAfter,
  within,
} from './fault.ts';
import { identityOf } from './hosts.ts';
import type { BatchTerms, CompleteReply, RequestPriority, TurnTerms, UpstreamReply, UpstreamRequest } from './types.ts';

/** A turn granted before the request is sent. `askedAt`: start of the wait, milliseconds of `ticks`. */
export interface GrantedTurn {
  readonly turn: Extract<Turn, { ok: true }>;
  readonly askedAt: number;
}

export interface BatchTools {
  readonly ticks: () => number;
  readonly clock: () => number;
  readonly budgetOf: (request: UpstreamRequest) => Budget;
  /** Sends a single request, with a granted turn or after waiting for one. */
  readonly send: (request: UpstreamRequest, leave: AbortSignal, granted?: GrantedTurn) => Promise<UpstreamReply>;
}

export interface Batches {
  /** Sends a request, together with those of its group that are waiting when its turn comes. */
  put(request: UpstreamRequest, terms: BatchTerms, leave: AbortSignal): Promise<UpstreamReply>;
}

/** Result of a member's wait for its turn. */
type Seat =
  | { readonly kind: 'alone'; readonly turn: Extract<Turn, { ok: true }> }
  | { readonly kind: 'together'; readonly batch: Batch; readonly isFirst: boolean }
  | { readonly kind: 'spent'; readonly waitMs: number | null }
  | { readonly kind: 'left' };

interface Member {
  readonly request: UpstreamRequest;
  readonly terms: BatchTerms;
  readonly turn: TurnTerms;
  readonly priority: RequestPriority;
  readonly askedAt: number;
  /** Time until which the member waits for its turn, milliseconds of `ticks`. */
  readonly turnBy: number;
  readonly sit: (seat: Seat) => void;
}

/** One request sent for several members. */
interface Batch {
  readonly size: number;
  readonly reply: Promise<{ readonly reply: UpstreamReply; readonly parsed: unknown }>;
  /** Called when a member no longer waits; the last one to leave aborts the request. */
  leave(): void;
}

/** A wait for a turn on behalf of all members of a group. */
interface Wait {
  readonly stop: AbortController;
  /** Expected time of the turn, and end of the wait; milliseconds of `ticks`. */
  readonly dueAt: number;
  readonly until: number;
}

interface Group {
  /** Ordered by priority, then by arrival. */
  members: Member[];
  /** At most one per priority: a member uses the wait of its own priority or of a higher one. */
  readonly waits: Map<RequestPriority, Wait>;
}

/** Headers of the shared reply that apply to each part and identify none of them. */
const SHARED_HEADERS: readonly string[] = ['content-type', 'last-modified'];

/**
 * Creates the batching of requests. A request never waits in order to be batched: if it gets a turn at once, it is sent
 * at once on its own. Requests that find the budget spent can be combined until one of them gets a turn.
 */
export function createBatches({ ticks, clock, budgetOf, send }: BatchTools): Batches {
  const groups = new Map<string, Group>();

  function seatOf(request: UpstreamRequest, terms: BatchTerms, leave: AbortSignal): Promise<Seat> {
    const key = keyOf(request, terms);
    const group = groups.getOrInsertComputed(key, () => ({ members: [], waits: new Map() }));
    const { totalMs } = request.deadlines;
    const turn = request.turn ?? { mostMs: totalMs, overallMs: totalMs };
    const askedAt = ticks();
    return new Promise((resolve) => {
      const gone = (seat: Seat) => {
        group.members = group.members.filter((other) => other !== member);
        member.sit(seat);
        tidy(key, group);
      };
      const onLeave = () => gone({ kind: 'left' });
      const timer = setTimeout(() => gone({ kind: 'spent', waitMs: null }), Math.max(0, turn.mostMs));
      const member: Member = {
        request,
        terms,
        turn,
        priority: request.priority ?? 'critical',
        askedAt,
        turnBy: askedAt + turn.mostMs,
        sit(seat) {
          clearTimeout(timer);
          leave.removeEventListener('abort', onLeave);
          resolve(seat);
        },
      };
      if (leave.aborted) return gone({ kind: 'left' });
      leave.addEventListener('abort', onLeave, { once: true });
      group.members.splice(group.members.filter((other) => rank(other) <= rank(member)).length, 0, member);
      const wait = waitOf(group, member) ?? startWait(key, group, member);
      const expectedMs = Math.max(0, wait.dueAt - askedAt);
      if (expectedMs > turn.mostMs) gone({ kind: 'spent', waitMs: expectedMs });
      else if (expectedMs >= NOTICEABLE_MS) turn.onWaiting?.(expectedMs);
    });
  }

  function startWait(key: string, group: Group, { request, priority }: Member): Wait {
    const budget = budgetOf(request);
    const until = Math.max(...group.members.map((member) => member.turnBy));
    const stop = new AbortController();
    const wait: Wait = { stop, until, dueAt: ticks() + budget.expectedWaitMs(priority) };
    group.waits.set(priority, wait);
    void budget.acquire(until, stop.signal, priority).then((turn) => {
      if (group.waits.get(priority) === wait) group.waits.delete(priority);
      if (turn.ok) return serve(key, group, turn);
      if (turn.cause === 'cancelled') return;
      for (const member of group.members.filter((other) => waitOf(group, other) === null && other.turnBy <= until)) {
        group.members = group.members.filter((other) => other !== member);
        member.sit({ kind: 'spent', waitMs: turn.waitMs });
      }
      waitOn(key, group);
    });
    return wait;
  }

  /** Restarts the wait of remaining members. A wait without members takes no turn. */
  function waitOn(key: string, group: Group): void {
    for (const member of group.members) if (waitOf(group, member) === null) startWait(key, group, member);
    tidy(key, group);
  }

  function tidy(key: string, group: Group): void {
    if (group.members.length > 0) return;
    for (const { stop } of group.waits.values()) stop.abort();
    group.waits.clear();
    if (groups.get(key) === group) groups.delete(key);
  }

  function serve(key: string, group: Group, turn: Extract<Turn, { ok: true }>): void {
    const [first, ...others] = group.members.slice(0, Math.max(1, group.members[0]?.terms.most ?? 1));
    group.members = group.members.slice(1 + others.length);
    waitOn(key, group);
    if (first === undefined) turn.release();
    else if (others.length === 0) first.sit({ kind: 'alone', turn });
    else {
      const members = [first, ...others];
      const batch = launch(members, turn);
      for (const member of members) member.sit({ kind: 'together', batch, isFirst: member === first });
    }
  }

  function launch(members: readonly Member[], turn: Extract<Turn, { ok: true }>): Batch {
    const [first] = members as readonly [Member];
    const stop = new AbortController();
    const longest = members.reduce((most, member) => (leftOf(member) > leftOf(most) ? member : most));
    const { turn: _waited, batch: _terms, ...plain } = first.request;
    const shared: UpstreamRequest = {
      ...plain,
      url: first.terms.urlOf(members.map((member) => member.terms.item)),
      deadlines: { ...longest.request.deadlines, totalMs: leftOf(longest) },
      // The request belongs to the trace of no single caller.
      traceparent: null,
    };
    let inside = members.length;
    return {
      size: members.length,
      reply: send(shared, stop.signal, { turn, askedAt: ticks() }).then((reply) => ({
        reply,
        parsed: parsedOf(reply),
      })),
      leave() {
        inside -= 1;
        if (inside === 0) stop.abort();
      },
    };
  }

  /** Milliseconds that remain for the request itself. */
  function leftOf({ request, turn, askedAt }: Pick<Member, 'request' | 'turn' | 'askedAt'>): number {
    return Math.min(request.deadlines.totalMs, Math.max(1, turn.overallMs - (ticks() - askedAt)));
  }

  return {
    async put(request, terms, leave) {
      const askedAt = ticks();
      const seat = await seatOf(request, terms, leave);
      const waitedMs = ticks() - askedAt;
      const when = () => ({ at: clock(), milliseconds: ticks() - askedAt });
      if (seat.kind === 'left') return abandonedFailure(request, CANCELLED, when());
      if (seat.kind === 'spent') return budgetFailure(request, seat.waitMs, when());
      if (seat.kind === 'alone') return send(request, leave, { turn: seat.turn, askedAt });
      const { totalMs } = request.deadlines;
      const turn = request.turn ?? { mostMs: totalMs, overallMs: totalMs };
      const stop = stopAfter(leftOf({ request, turn, askedAt }), [leave]);
      const got = await Promise.race([seat.batch.reply, stop.fired]);
      stop.clear();
      if (got instanceof Fault) {
        seat.batch.leave();
        return abandonedFailure(request, got, when());
      }
      const timing = { milliseconds: ticks() - askedAt, ...(waitedMs >= NOTICEABLE_MS ? { waitedMs } : {}) };
      const url = createRedactor(request).url(request.url);
      const { reply, parsed } = got;
      if (!reply.ok && !isForOneOfThem(reply)) return { ...reply, url, body: null, milliseconds: timing.milliseconds };
      const row = reply.ok ? rowIn(parsed, terms) : null;
      if (reply.ok && row !== null)
        return { ...partOf(reply, row), ...timing, url, fromCache: !seat.isFirst, together: seat.batch.size };
      // The shared reply lacks the item, or another item invalidated the reply: this says nothing about the item.
      const leftMs = turn.overallMs - (ticks() - askedAt);
      if (leftMs < LEAST_RETRY_MS)
        return abandonedFailure(request, new Fault('timeout', 'no time was left to ask for it alone'), when());
      const alone = await send(within(request, leftMs), leave);
      return { ...alone, milliseconds: ticks() - askedAt };
    },
  };
}

const rank = ({ priority }: Pick<Member, 'priority'>) => ORDER.indexOf(priority);

/** The wait that a member belongs to; null if there is none. */
function waitOf(group: Group, member: Member): Wait | null {
  for (const priority of ORDER.slice(0, rank(member) + 1)) {
    const wait = group.waits.get(priority);
    if (wait) return wait;
  }
  return null;
}

/**
 * Only requests that differ in nothing but the item are combined; those with another key or for another customer are
 * not.
 */
function keyOf(request: UpstreamRequest, terms: BatchTerms): string {
  const query = URL.canParse(request.url) ? new URL(request.url).searchParams : null;
  const keys = request.secretQuery.map((name) => query?.get(name) ?? '');
  return `${identityOf({ ...request, url: keys.join(' ') })} ${request.tenant ?? ''} ${terms.group}`;
}

function parsedOf(reply: UpstreamReply): unknown {
  if (!reply.ok || reply.status < 200 || reply.status > 299) return null;
  try {
    return JSON.parse(new TextDecoder().decode(reply.body));
  } catch {
    return null;
  }
}

/** The member's part of the reply; null when it is missing or cannot be read. */
function rowIn(parsed: unknown, terms: BatchTerms): unknown {
  try {
    return (parsed === null ? null : terms.rowOf(parsed, terms.item)) ?? null;
  } catch {
    return null;
  }
}

/**
 * True when the failure may be due to one item. An item that the host rejects must not fail the other members'
 * requests.
 */
function isForOneOfThem({ reason, status }: Extract<UpstreamReply, { ok: false }>): boolean {
  if (reason === 'http_error') return status === null || status < 500;
  if (reason === 'refused_address') return true;
  return reason === 'too_large' || reason === 'wrong_content_type' || reason === 'truncated';
}

/** Returns one part of a reply as a separate reply with its own hash. */
function partOf(reply: CompleteReply, row: unknown): { readonly ok: true } & CompleteReply {
  const body = new TextEncoder().encode(JSON.stringify(row));
  const headers = Object.entries(reply.headers).filter(([name]) => SHARED_HEADERS.includes(name));
  const { waitedMs: _ofTheBatch, ...rest } = reply;
  return {
    ...rest,
    ok: true,
    headers: Object.fromEntries(headers),
    body,
    sha256: createHash('sha256').update(body).digest('hex'),
  };
}
