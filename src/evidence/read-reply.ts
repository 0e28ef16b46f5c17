import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  type Json,
  type Observation,
  type ObservationDraft,
  QUANTITIES,
  type RequestOutcome,
  type ResponseRecord,
} from '../domain/index.ts';
import {
  ABOUT_ANOTHER,
  type Endpoint,
  failureAt,
  isAboutAnother,
  type Params,
  type ReplyMeta,
  type Source,
  statedFailure,
} from '../sources/index.ts';

export interface ReadReply {
  readonly outcome: RequestOutcome;
  readonly detail: string | null;
  /** The checked reply; null unless the outcome is a reply with a body. */
  readonly reply: unknown;
  readonly observations: readonly Observation[];
  readonly learned: Readonly<Record<string, Json>>;
}

/** Limit of observations from one reply, so that a hostile body cannot fill the archive. */
const MOST_OBSERVATIONS = 4_000;

/**
 * Reads one archived or fresh body: parse, schema, classify, observe. Pure: the same body, params and meta give the
 * same observations years later. A body that states an error instead of a reply has the outcome of that error; one that does not fit
 * is `malformed`, never an exception.
 */
export function readReply(
  source: Source,
  endpoint: Endpoint,
  params: Params,
  body: Uint8Array,
  meta: ReplyMeta,
  responseId: string,
): ReadReply {
  if (meta.status === 404) return { ...nothing('not_found', null), learned: endpoint.learnedWhenMissing ?? {} };
  const parsed = parseBody(endpoint, body);
  if (!parsed.ok) return nothing(parsed.outcome, parsed.detail);
  const validator = validatorOf(endpoint);
  const fits = validator.Check(parsed.value);
  const failure = failureAt(endpoint, parsed.value, fits);
  if (failure !== null) return nothing(failure.outcome, failure.detail);
  if (!fits) return nothing('malformed', schemaComplaint(validator, parsed.value));
  return readChecked(source, endpoint, params, parsed.value, meta, responseId);
}

/** The second half of `readReply`, for a reply whose schema was already checked (a row of a shared list). */
export function readChecked(
  source: Source,
  endpoint: Endpoint,
  params: Params,
  checked: unknown,
  meta: ReplyMeta,
  responseId: string,
): ReadReply {
  const reply = checked as never;
  try {
    if (isAboutAnother(endpoint, reply, params)) return nothing('error_reply', ABOUT_ANOTHER);
    const verdict: ReturnType<NonNullable<Endpoint['classify']>> = endpoint.classify?.(reply, meta, params) ?? {
      outcome: 'ok',
    };
    if (verdict.outcome !== 'ok') return { ...nothing(verdict.outcome, verdict.detail ?? null), reply };
    const observations = endpoint
      .observe(reply, params, meta)
      .slice(0, MOST_OBSERVATIONS)
      .filter(isCleanDraft)
      .map((draft) => complete(draft, source, endpoint, meta, responseId));
    // Learned facts are used in requests to other sources and archived with their replies.
    const learned = wellFormed(endpoint.learn?.(reply, params, meta) ?? {});
    return { outcome: 'ok', detail: verdict.detail?.toWellFormed() ?? null, reply, observations, learned };
  } catch (error) {
    // A bug in an adapter costs this source's reply, not the job.
    return nothing(
      'malformed',
      `the reply could not be read: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown error'}`,
    );
  }
}

/** Reply headers that observations may use and that the archive therefore keeps. */
const KEPT_HEADERS = [
  'link',
  'last-modified',
  'content-type',
  'retry-after',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-total-count',
];

/** The subset of headers that goes into the record and to `observe`. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = value.slice(0, 2_000);
  }
  return kept;
}

/** The fields of an archived reply that `observe` needs. */
export function metaOf(record: ResponseRecord): ReplyMeta {
  return { status: record.status ?? 200, headers: record.headers, fetchedAt: record.fetchedAt, url: record.url };
}

function nothing(outcome: RequestOutcome, detail: string | null): ReadReply {
  return { outcome, detail: detail?.toWellFormed() ?? null, reply: null, observations: [], learned: {} };
}

type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly outcome: RequestOutcome; readonly detail: string };

function parseBody(endpoint: Endpoint, body: Uint8Array): ParsedBody {
  const text = new TextDecoder('utf-8').decode(body);
  if (endpoint.format === 'html' || endpoint.format === 'text' || endpoint.format === 'xml')
    return { ok: true, value: text };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const detail = text.trim() === '' ? 'expected JSON, got an empty body' : 'expected JSON, got something else';
    return { ok: false, ...(statedFailure(text) ?? { outcome: 'malformed', detail }) };
  }
}

type Validator = {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly { instancePath: string; message: string }[];
};
/** Keyed by schema, because an endpoint may be copied with other terms for one request. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf({ reply }: Endpoint): Validator {
  return validators.getOrInsertComputed(reply, () => Compile(reply) as unknown as Validator);
}

function schemaComplaint(validator: Validator, value: unknown): string {
  const first = validator.Errors(value)[0];
  return first
    ? `the reply does not fit its schema at ${first.instancePath || '/'}: ${first.message}`.slice(0, 300)
    : 'the reply does not fit its schema';
}

function isCleanDraft(draft: ObservationDraft): boolean {
  if (!(draft.quantity in QUANTITIES)) return false;
  return typeof draft.value !== 'number' || Number.isFinite(draft.value);
}

function complete(
  draft: ObservationDraft,
  source: Source,
  endpoint: Endpoint,
  meta: ReplyMeta,
  responseId: string,
): Observation {
  return {
    quantity: draft.quantity,
    scope: (draft.scope ?? 'asset').toWellFormed(),
    value: wellFormed(draft.value),
    ...(draft.exact === undefined ? {} : { exact: draft.exact }),
    unit: QUANTITIES[draft.quantity].unit,
    meaning: (draft.meaning ?? QUANTITIES[draft.quantity].meaning).slice(0, 300).toWellFormed(),
    source: source.name,
    endpoint: endpoint.name,
    family: draft.family ?? source.family,
    tier: draft.tier ?? source.tier,
    observedAt: notAfter(draft.observedAt, meta.fetchedAt),
    fetchedAt: meta.fetchedAt,
    reliability: draft.reliability ?? source.reliability,
    binding: draft.binding ?? 1,
    responseId,
  };
}

/** The clock of a source may be ahead: no observation is dated later than its fetch. */
function notAfter(observedAt: string | undefined, fetchedAt: string): string {
  if (observedAt === undefined) return fetchedAt;
  const at = Date.parse(observedAt);
  if (Number.isNaN(at) || at > Date.parse(fetchedAt)) return fetchedAt;
  return new Date(at).toISOString();
}

/**
 * Replaces lone surrogates with U+FFFD. JSON can contain them ("\ud800"), and cutting a text can leave one. Canonical
 * JSON (RFC 8785) cannot represent them, so evidence with one could be neither hashed nor signed.
 */
export function wellFormed<Value extends Json>(value: Value): Value {
  return isWellFormed(value) ? value : (repaired(value) as Value);
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, row]) => key.isWellFormed() && (row === undefined || isWellFormed(row)));
}

function repaired(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, row]) => (row === undefined ? [] : [[key.toWellFormed(), repaired(row)]])),
  );
}

/** Applies the current factor of the source's reliability; returns the same observation if the factor is 1. */
export function weighted(observation: Observation, weight: number): Observation {
  return weight === 1
    ? observation
    : { ...observation, reliability: observation.reliability * weight, sourceWeight: weight };
}
