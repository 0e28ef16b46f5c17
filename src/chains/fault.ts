/** Why a chain could not be read. `detail` contains no node URL and no key. */
export interface ChainFault {
  readonly reason:
    | 'unreachable'
    | 'rate_limited'
    | 'refused'
    | 'malformed'
    | 'not_found'
    | 'too_large'
    | 'cancelled'
    | 'reorganised'
    | 'reverted';
  readonly detail: string;
}

/** Builds the error case of a `Result`. */
export function fault(reason: ChainFault['reason'], detail: string): { readonly ok: false } & ChainFault {
  return { ok: false, reason, detail };
}

/**
 * What an error of a JSON-RPC node means for the caller.
 * `reverted`: the contract reverted; `too_large`: request less; `rate_limited`: retry later; `not_offered`: the node does
 * not have this method, or not for this key; `forbidden`: the node does not serve us; `failed`: only this call failed, which
 * says nothing about the account or contract.
 */
export type RpcErrorKind = 'reverted' | 'too_large' | 'rate_limited' | 'not_offered' | 'forbidden' | 'failed';

const REVERTED = 3;
/** EIP-1474. Some nodes use it for too many requests, others for too many blocks in one request. */
export const LIMIT_EXCEEDED = -32005;
const TOO_MANY_REQUESTS: readonly number[] = [429, -32029, LIMIT_EXCEEDED];
/** Method not found; key excluded from the secondary indexes of a Solana node. */
const NOT_OFFERED: readonly number[] = [-32601, -32010];
const FORBIDDEN: readonly number[] = [403, 410];

const REVERT =
  /execution reverted|\breverted?\b|invalid opcode|out ?of ?gas|precompile ?error|stack (under|over)flow|bad instruction/i;
/** How nodes and providers report that a range is too large. */
const RANGE =
  /block range|ranges? (is )?too|too (large|wide|many (results|blocks))|query returned more than|more than \d+ results|exceeds? (the )?(max|limit|range|\d)|response size|limited to (a )?\d|up to a \d+ block|result set|ranges? over \d|bigger than (the )?(range|\d)/i;
const LIMIT = /rate.?limit|too many requests/i;
const ABSENT = /not (available|supported)|disabled/i;

/**
 * Classifies code and message of a JSON-RPC error (Solana's list of errors, EIP-1474, the range errors of EVM providers). -32602,
 * "invalid params", is `failed`: it concerns this call only, so another node, or the same node later, may still serve it.
 */
export function rpcErrorKind(error: {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}): RpcErrorKind {
  const code = Number(error.code);
  const words = `${wordsOf(error.message)} ${wordsOf(error.data)}`;
  if (code === REVERTED || REVERT.test(words)) return 'reverted';
  if (RANGE.test(words)) return 'too_large';
  if (TOO_MANY_REQUESTS.includes(code) || LIMIT.test(words)) return 'rate_limited';
  if (NOT_OFFERED.includes(code) || ABSENT.test(words)) return 'not_offered';
  return FORBIDDEN.includes(code) ? 'forbidden' : 'failed';
}

function wordsOf(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.values(value).join(' ')
        : '';
  return text.slice(0, 300);
}
