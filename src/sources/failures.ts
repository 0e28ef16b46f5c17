import type { RequestOutcome } from '../domain/index.ts';
import { fieldsOf, num, text } from './read.ts';
import type { Endpoint } from './source.ts';

/** Names of the fields of an error body. An object with any other filled field is a reply of its endpoint, valid or not. */
const ERROR_FIELDS: ReadonlySet<string> = new Set(
  'status statusCode status_code code error error_code errorCode error_message errorMessage errors message msg reason detail title type name result retCode retMsg success ok timestamp path docs url request_id requestId id jsonrpc retry_after'.split(
    ' ',
  ),
);
/** Fields with the text of the error, in the order in which they are read. */
const TEXT_FIELDS = [
  'error_message',
  'errorMessage',
  'message',
  'msg',
  'retMsg',
  'detail',
  'reason',
  'error',
  'result',
];
const CODE_FIELDS = ['error_code', 'errorCode', 'statusCode', 'status_code', 'code', 'retCode', 'status'];
const LIMIT_WORDS =
  /rate.?limit|too many requests|throttl|max(?:imum)? (?:daily|calls|rate)|quota|request.{0,20}limit(?:ed)? /i;
const LIMIT_CODES: ReadonlySet<number> = new Set([429, 1015, -1003]);
/** Texts of replies without an error. */
const NO_ERROR = /^(?:ok|success|successful)$/i;
/** A longer text is a page, not an error message. */
const LONGEST_TEXT = 1_000;

interface StatedFailure {
  readonly outcome: Extract<RequestOutcome, 'rate_limited' | 'error_reply'>;
  readonly detail: string;
}

/**
 * The error that a body states instead of the reply of its endpoint, whatever the status: CoinGecko's `{status: {error_code}}`, `{error}`,
 * `{code, message}`, `{status: "0", result: "Max rate limit reached"}`, or a line of text. Null for everything else; a body that has
 * other filled fields is judged by the endpoint.
 */
export function statedFailure(body: unknown): StatedFailure | null {
  if (typeof body === 'string') return body.length <= LONGEST_TEXT && LIMIT_WORDS.test(body) ? limited(body) : null;
  const found = fieldsOf(body);
  const filled = Object.entries(found).filter(([, value]) => value !== null);
  if (filled.length === 0 || !filled.every(([name, value]) => isErrorField(name, value))) return null;
  const parts = [found, fieldsOf(found.status), fieldsOf(found.error)];
  const words = parts
    .flatMap((part) => TEXT_FIELDS.map((name) => part[name]))
    .filter((value) => typeof value === 'string');
  const message = words.some((word) => NO_ERROR.test(word.trim())) ? '' : words.join(': ');
  const codes = parts.flatMap((part) => CODE_FIELDS.map((name) => num(part[name])));
  if (codes.some((code) => code !== null && LIMIT_CODES.has(code)) || LIMIT_WORDS.test(message))
    return limited(message);
  return message === '' ? null : { outcome: 'error_reply', detail: text(message, 160) ?? 'an error inside the reply' };
}

function isErrorField(name: string, value: unknown): boolean {
  if (name === 'result' || name === 'detail' || name === 'type' || name === 'name') return typeof value === 'string';
  return (
    ERROR_FIELDS.has(name) || (name === 'data' && Object.keys(fieldsOf(value)).length === 0 && !Array.isArray(value))
  );
}

function limited(message: string): StatedFailure {
  return { outcome: 'rate_limited', detail: text(message, 160) ?? 'the reply states that the rate limit is reached' };
}

/**
 * The error that a body states to an endpoint: of a body that does not fit its schema, or that has none of the schema's fields because
 * all of them are optional.
 */
export function failureAt(endpoint: Endpoint, body: unknown, fits: boolean): StatedFailure | null {
  return !fits || hasNoOwnField(endpoint, body) ? statedFailure(body) : null;
}

function hasNoOwnField({ reply }: Endpoint, value: unknown): boolean {
  const { properties } = reply as { readonly properties?: Readonly<Record<string, unknown>> };
  return properties !== undefined && !Object.keys(properties).some((name) => fieldsOf(value)[name] !== undefined);
}
