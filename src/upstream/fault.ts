import type { UpstreamFailure } from './types.ts';

export type FaultReason = UpstreamFailure['reason'];

/** An expected failure on its way through streams and timers, which know errors only; the client turns it into a value. */
export class Fault extends Error {
  readonly reason: FaultReason;
  /** False when the request certainly never left. */
  readonly sent: boolean;

  /** `detail`: plain words for people, without secrets and without addresses of our own network. */
  constructor(reason: FaultReason, detail: string, sent = true) {
    super(detail);
    this.reason = reason;
    this.sent = sent;
  }
}

/**
 * Translates what undici, node:tls, node:zlib or a socket threw. Their messages hold addresses and ports, so only codes
 * are kept. `headers`: nothing of the answer has come yet; `body`: the answer's head has.
 */
export function toFault(error: unknown, phase: 'headers' | 'body'): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new Fault('too_large', 'the headers were larger than we accept');
  if (TIMEOUTS.has(code)) return new Fault('timeout', 'the host did not answer in time');
  if (phase === 'body') {
    if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ZSTD_') || code.startsWith('ERR__'))
      return new Fault('truncated', 'the compressed body was incomplete or damaged');
    return new Fault('truncated', `the connection ended before the body did${suffix(code)}`);
  }
  if (isCertificateCode(code)) return new Fault('unreachable', `the host's certificate is not trusted${suffix(code)}`);
  if (code.startsWith('HPE_')) return new Fault('unreachable', 'the host did not speak HTTP');
  return new Fault('unreachable', `no connection to the host${suffix(code)}`);
}

const TIMEOUTS: ReadonlySet<string> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' && /^[A-Za-z0-9_]{1,60}$/.test(error.code) ? error.code : '';
}

function suffix(code: string): string {
  return code === '' ? '' : ` (${code})`;
}

function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(code);
}
