import type { Asker, AskReply } from '../sources/asker.ts';
import type { Params } from '../sources/source.ts';
import type { Answered } from './registry-records.ts';

/**
 * Longest wait for one question, milliseconds. Collecting the evidence needs the rest of the job's time; a reply that comes
 * later is still used there, because the job asks each question once.
 */
const PATIENCE_MS = 7_000;
const BULK_WAIT_MS = 4_000;

/** Asks for identity: never throws, never waits long, and remembers in words what became of each question. */
export interface Questions {
  ask(source: string, endpoint: string, params: Params, about: string): Promise<Answered | null>;
  bulk(source: string, endpoint: string, about: string): Promise<Answered | null>;
  /** In words, sorted. */
  tried(): readonly string[];
  answeredBy(source: string): boolean;
  readonly anyAnswer: () => boolean;
  /** True when a source answered that can know a token or a project; a domain's registration tells of neither. */
  readonly anyWitness: () => boolean;
  /** Outcome of a question that was not answered with data, else null. */
  outcomeOf(source: string, endpoint: string, params: Params): string | null;
}

/** Wraps the job's asker. A question that comes up again is not asked, nor waited for, a second time. */
export function createQuestions(asker: Asker): Questions {
  const words = new Map<string, string>();
  const outcomes = new Map<string, string>();
  const answered = new Set<string>();
  const heard = new Map<string, Promise<Answered | null>>();

  function once(key: string, hearing: () => Promise<Answered | null>): Promise<Answered | null> {
    const known = heard.get(key) ?? hearing();
    heard.set(key, known);
    return known;
  }

  async function hear(
    source: string,
    endpoint: string,
    params: Params,
    about: string,
    work: () => Promise<AskReply>,
  ): Promise<Answered | null> {
    const reply = await patiently(work);
    const key = `${source}.${endpoint}`;
    const outcome = reply?.outcome ?? 'timeout';
    words.set(`${key} ${about}`, `${source}: ${about}: ${outcome.replaceAll('_', ' ')}`);
    if (outcome !== 'ok') outcomes.set(keyOf(source, endpoint, params), outcome);
    if (!reply?.ok) return null;
    answered.add(source);
    return reply.outcome === 'not_found'
      ? null
      : { reply: reply.reply, responseId: reply.responseId, observations: reply.observations };
  }

  return {
    ask: (source, endpoint, params, about) =>
      once(keyOf(source, endpoint, params), () =>
        hear(source, endpoint, params, about, () => asker.ask(source, endpoint, params)),
      ),
    bulk: (source, endpoint, about) =>
      once(keyOf(source, endpoint, {}), () =>
        hear(source, endpoint, {}, about, () => asker.bulk(source, endpoint, {}, BULK_WAIT_MS)),
      ),
    tried: () => [...words.values()].sort(),
    answeredBy: (source) => answered.has(source),
    anyAnswer: () => answered.size > 0,
    anyWitness: () => [...answered].some((source) => source !== 'rdap'),
    outcomeOf: (source, endpoint, params) => outcomes.get(keyOf(source, endpoint, params)) ?? null,
  };
}

/** The reply, or null when it takes too long or the source's file trips over it. */
async function patiently(work: () => Promise<AskReply>): Promise<AskReply | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), tooLate]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function keyOf(source: string, endpoint: string, params: Params): string {
  return `${source}.${endpoint} ${JSON.stringify(params)}`;
}
