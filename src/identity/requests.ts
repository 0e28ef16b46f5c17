import type { Observation, TokenRecord } from '../domain/index.ts';
import { isOverBudget, type RequestOutcome, sourceFor } from '../domain/index.ts';
import type { Params, SourceReply, SourceRequester } from '../sources/index.ts';
import { recordsOf, SOURCES } from '../sources/index.ts';

/**
 * Maximum wait for one request, milliseconds. Collecting the evidence needs the rest of the job's time. A later reply
 * is still used there, because the job sends each request once.
 */
const PATIENCE_MS = 7_000;
const BULK_WAIT_MS = 4_000;
const REGISTRATION = sourceFor('domain_registration');
/**
 * Outcomes without a reply for reasons unrelated to the project. An unreachable website is not among them: it counts as
 * missing.
 */
const NO_REPLY: ReadonlySet<RequestOutcome> = new Set(['circuit_open', 'timeout', 'deadline']);

/** One reply, as used by identification. */
export interface IdentityReply {
  readonly source: string;
  /** Records that the source's reader extracted from the reply. Identification does not parse replies itself. */
  readonly records: readonly TokenRecord[];
  readonly reply: unknown;
  readonly responseId: string;
  readonly observations: readonly Observation[];
}

/**
 * Makes the requests of identification: never throws, waits a limited time, and stores a text about the outcome of each
 * request.
 */
export interface IdentityRequests {
  ask(source: string, endpoint: string, params: Params, about: string): Promise<IdentityReply | null>;
  bulk(source: string, endpoint: string, about: string): Promise<IdentityReply | null>;
  /** Texts about the outcomes, sorted. */
  tried(): readonly string[];
  hasReplyFrom(source: string): boolean;
  readonly hasAnyReply: () => boolean;
  /** True if a source that can know a token or a project replied; the registration of a domain does not count. */
  readonly anyWitness: () => boolean;
  /** Outcome of a request that returned no data; otherwise null. */
  outcomeOf(source: string, endpoint: string, params: Params): string | null;
  /**
   * Requests that were not sent because a request budget is spent. They are no evidence, neither of presence nor of
   * absence.
   */
  unsent(): readonly UnsentRequest[];
  /** The requested sources, if every one of them is disabled here; otherwise empty. */
  readonly allOff: () => readonly string[];
  /** True if one of these sources, unless it is disabled here, sent no reply or was not asked for all that was needed. */
  readonly isAnySilent: (sources: readonly string[]) => boolean;
  /** True if more than half of the requests got no reply in time, so that a missing result may exist. */
  readonly mostlyUnanswered: () => boolean;
  /** Resolves when the slow requests have a reply or have timed out. False if there were none. */
  late(): Promise<boolean>;
}

export interface UnsentRequest {
  readonly source: string;
  /** Seconds until it can be requested; null if unknown. */
  readonly retryAfterSeconds: number | null;
}

/** Wraps the job's requester. A repeated request is neither sent again nor waited for again. */
export function createIdentityRequests(requester: SourceRequester): IdentityRequests {
  const words = new Map<string, string>();
  const outcomes = new Map<string, string>();
  const answered = new Set<string>();
  const silent = new Set<string>();
  const off = new Map<string, string>();
  const made = new Map<string, Promise<IdentityReply | null>>();
  const notAsked = new Map<string, UnsentRequest>();
  const pending = new Set<Promise<unknown>>();

  function once(key: string, make: () => Promise<IdentityReply | null>): Promise<IdentityReply | null> {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known;
  }

  async function hear(
    source: string,
    endpoint: string,
    params: Params,
    about: string,
    work: () => Promise<SourceReply>,
  ): Promise<IdentityReply | null> {
    const asking = Promise.resolve().then(work);
    const reply = await patiently(asking);
    if (reply === null) {
      const settled = asking.then(
        () => undefined,
        () => undefined,
      );
      pending.add(settled);
      void settled.then(() => pending.delete(settled));
    }
    const key = `${source}.${endpoint}`;
    const outcome = reply?.outcome ?? 'timeout';
    words.set(`${key} ${about}`, `${source}: ${about}: ${outcome.replaceAll('_', ' ')}`);
    if (outcome === 'disabled') off.set(`${key} ${about}`, source);
    if (NO_REPLY.has(outcome)) silent.add(`${key} ${about}`);
    if (outcome !== 'ok') outcomes.set(keyOf(source, endpoint, params), outcome);
    if (!reply?.ok) {
      if (reply && isOverBudget(source, reply.outcome))
        notAsked.set(`${key} ${about}`, { source, retryAfterSeconds: reply.retryAfterSeconds ?? null });
      return null;
    }
    answered.add(source);
    if (reply.outcome === 'not_found') return null;
    const { responseId, observations } = reply;
    const records = readRecords(source, endpoint, reply.reply, params, responseId);
    return { source, records, reply: reply.reply, responseId, observations };
  }

  return {
    ask: (source, endpoint, params, about) =>
      once(keyOf(source, endpoint, params), () =>
        hear(source, endpoint, params, about, () => requester.request(source, endpoint, params)),
      ),
    bulk: (source, endpoint, about) =>
      once(keyOf(source, endpoint, {}), () =>
        hear(source, endpoint, {}, about, () => requester.bulk(source, endpoint, {}, BULK_WAIT_MS)),
      ),
    tried: () => [...words.values()].sort(),
    hasReplyFrom: (source) => answered.has(source),
    hasAnyReply: () => answered.size > 0,
    anyWitness: () => [...answered].some((source) => source !== REGISTRATION),
    outcomeOf: (source, endpoint, params) => outcomes.get(keyOf(source, endpoint, params)) ?? null,
    unsent: () => [...notAsked.values()],
    allOff: () => (off.size === words.size ? [...new Set(off.values())].sort() : []),
    isAnySilent: (sources) => {
      const disabled = new Set(off.values());
      const waiting = new Set([...notAsked.values()].map((row) => row.source));
      return sources.some((source) => !disabled.has(source) && (waiting.has(source) || !answered.has(source)));
    },
    mostlyUnanswered: () => silent.size * 2 > words.size,
    async late() {
      if (pending.size === 0) return false;
      await Promise.all(pending);
      return true;
    },
  };
}

function readRecords(name: string, endpointName: string, reply: unknown, params: Params, responseId: string) {
  const source = SOURCES.find((row) => row.name === name);
  const endpoint = source?.endpoints.find((row) => row.name === endpointName);
  return source && endpoint ? recordsOf(source, endpoint, reply, params, responseId) : [];
}

/** Returns the reply, or null when it takes too long or the source's reader throws. */
async function patiently(asking: Promise<SourceReply>): Promise<SourceReply | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([asking, tooLate]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function keyOf(source: string, endpoint: string, params: Params): string {
  return `${source}.${endpoint} ${JSON.stringify(params)}`;
}
