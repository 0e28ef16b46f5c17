import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { errorBody } from './error-bodies.ts';
import type { FacadeReply } from './facade.ts';
import type { Fault } from './faults.ts';

/** Sends a facade's reply, modified by the active faults. */
export async function send(
  response: ServerResponse,
  source: string,
  reply: FacadeReply,
  faults: readonly Fault[],
): Promise<void> {
  const delay = faults.filter((fault) => fault.kind === 'latency').reduce((sum, fault) => sum + (fault.ms ?? 200), 0);
  if (delay > 0) await sleep(delay);
  const fault = faults.find((candidate) => candidate.kind !== 'latency' && candidate.kind !== 'scale');
  const body = Buffer.from(reply.text ?? JSON.stringify(reply.json ?? null));
  const type = reply.contentType ?? 'application/json; charset=utf-8';
  const plain = (status: number, headers: Record<string, string>, bytes: Buffer) => {
    response.writeHead(status, { 'content-length': String(bytes.length), ...headers });
    response.end(bytes);
  };
  switch (fault?.kind) {
    case undefined:
    case 'latency':
    case 'scale':
      return plain(reply.status ?? 200, { 'content-type': type, ...reply.headers }, body);
    case 'rate_limited':
      return plain(
        429,
        { 'content-type': 'application/json', 'retry-after': String(fault.retryAfterSeconds ?? 30) },
        Buffer.from('{"error":"Too Many Requests"}'),
      );
    case 'server_error':
      return plain(fault.status ?? 503, { 'content-type': 'text/html' }, Buffer.from('<h1>Service Unavailable</h1>'));
    case 'wrong_content_type':
      return plain(200, { 'content-type': 'image/png' }, body);
    case 'truncated_json':
      return plain(200, { 'content-type': type }, body.subarray(0, Math.floor(body.length / 2)));
    case 'empty':
      return plain(200, { 'content-type': type }, Buffer.alloc(0));
    case 'error_body': {
      const error = errorBody(source);
      return plain(200, { 'content-type': error.type }, Buffer.from(error.text));
    }
    case 'redirect_loopback':
      return plain(302, { location: '//127.0.0.1/secret' }, Buffer.alloc(0));
    case 'redirect_metadata':
      return plain(302, { location: '//169.254.169.254/latest/meta-data/' }, Buffer.alloc(0));
    case 'gzip_bomb': {
      const bomb = gzipBomb();
      return plain(200, { 'content-type': type, 'content-encoding': 'gzip' }, bomb);
    }
    case 'refused':
      response.destroy();
      return;
    case 'reset_mid_body':
      response.writeHead(200, { 'content-type': type, 'content-length': String(body.length + 64) });
      response.write(body.subarray(0, Math.floor(body.length / 2)));
      await sleep(20);
      reset(response);
      return;
    case 'slow_drip':
      response.writeHead(200, { 'content-type': type, 'content-length': String(body.length) });
      return drip(response, body, fault.ms ?? 200);
  }
}

/** A TLS socket cannot send a reset itself: its connection is closed without the closing alert instead. */
function reset(response: ServerResponse): void {
  if (response.socket instanceof TLSSocket) response.socket.destroy();
  else response.socket?.resetAndDestroy();
}

let bomb: Buffer | null = null;

/** 256 MiB of spaces in about 260 kB. */
function gzipBomb(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(256 * 1024 * 1024, ' '), { level: 9 });
  return bomb;
}

async function drip(response: ServerResponse, body: Buffer, ms: number): Promise<void> {
  for (let at = 0; at < body.length && !response.destroyed; at += 8) {
    response.write(body.subarray(at, at + 8));
    await sleep(ms);
  }
  response.end();
}
