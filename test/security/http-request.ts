import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  readonly method: string;
  /** As it goes over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A score takes up to 60 s where the request names no deadline (ASSAY_SCORE_DEADLINE_SECONDS), and a fresh rating waits for one. */
const REPLY_WITHIN_MS = 75_000;

/** One request as it is given: no path is put right, no header added but what HTTP needs. A stream is left after its first bytes. */
export function ask(agent: Agent, url: string, { method, path, headers, body }: Sent): Promise<Got> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const length: Record<string, string> = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { agent, hostname, port, method, path, headers: { ...length, ...headers }, timeout: REPLY_WITHIN_MS },
      (reply) => {
        const chunks: Buffer[] = [];
        const done = () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) });
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!reply.headers['content-type']?.startsWith('text/event-stream')) return;
          done();
          reply.destroy();
        });
        reply.on('end', done);
        reply.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no reply in time: ${method} ${path.slice(0, 100)}`)));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}
