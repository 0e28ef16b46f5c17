import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Problem, problemBody } from './problems.ts';

/** Maximum bytes of the request line and headers together (`http.maxHeaderSize` of Node). */
const MOST_HEAD_BYTES = 16_384;

/** 431, 408 and 400 for requests whose head or framing the HTTP parser refuses. */
export const UNREADABLE = {
  headTooLarge: {
    status: 431,
    code: 'request_head_too_large',
    title: 'The request headers are too large',
    detail: `expected at most ${MOST_HEAD_BYTES} bytes of URL and headers together`,
    retry: 'corrected',
  },
  timedOut: {
    status: 408,
    code: 'request_timeout',
    title: 'The request did not arrive in time',
    detail: 'expected the headers within 10 s and the whole request within 30 s',
    retry: 'same',
  },
  malformed: {
    status: 400,
    code: 'malformed_request',
    title: 'The request is not valid HTTP',
    detail: 'expected HTTP/1.1 as in RFC 9112, with one Host header and one length',
    retry: 'corrected',
  },
} as const satisfies Record<string, Problem>;

/** The problem for a parser error. */
export function problemOfParser({ code }: { readonly code?: string | undefined }): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return UNREADABLE.headTooLarge;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return UNREADABLE.timedOut;
  return UNREADABLE.malformed;
}

/** The reply to an untrusted request: it does not repeat the path, and it closes the connection. */
export function closingReply(problem: Problem, dataMode: string) {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, '/', requestId));
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'assay-data-mode': dataMode,
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  return { status: problem.status, headers, body };
}

/**
 * Replies to a request that the parser refused, unless its connection is closed or a reply has begun. Then closes the
 * connection.
 */
export function refuseUnreadable(
  error: { readonly code?: string | undefined },
  socket: Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null },
  dataMode: string,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const hasBegun = socket._httpMessage?.headersSent === true;
  if (socket.writable && !hasBegun) {
    const { status, headers, body } = closingReply(problemOfParser(error), dataMode);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
  }
  socket.destroySoon();
}
