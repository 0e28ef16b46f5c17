import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type RecordedBody, type ReplayEntry, readRecording } from './recordings.ts';

export interface ReplayerOptions {
  readonly folder: string;
  readonly index: readonly ReplayEntry[];
  /** Default 0: a free one. */
  readonly port?: number;
  /** Status for unmatched requests; default 404, "unknown asset". Another 4xx counts as a failed request. */
  readonly unrecordedStatus?: number;
}

/**
 * Serves recorded bodies on loopback in place of the sources, under `/<source>/<base>/...` as the sandbox does.
 * Unmatched requests get `unrecordedStatus`. Throws at start when a file is missing or an entry refers outside the
 * folder.
 */
export async function startReplayer({
  folder,
  index,
  port = 0,
  unrecordedStatus = 404,
}: ReplayerOptions): Promise<{ url: string; close(): Promise<void> }> {
  const loaded: { readonly entry: ReplayEntry; readonly body: RecordedBody }[] = [];
  for (const entry of index) loaded.push({ entry, body: await readRecording(folder, entry) });

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://replayer.invalid');
    const sent = Buffer.concat(chunks).toString('utf8');
    const hit = loaded.find(({ entry }) => fits(entry, request.method ?? 'GET', url, sent));
    if (!hit) {
      response
        .writeHead(unrecordedStatus, { 'content-type': 'application/json' })
        .end('{"error":"nothing recorded for this request"}');
      return;
    }
    response
      .writeHead(hit.entry.status ?? hit.body.status, { 'content-type': hit.body.contentType })
      .end(hit.body.bytes);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fits(entry: ReplayEntry, method: string, url: URL, sent: string): boolean {
  if (entry.method !== method) return false;
  const wanted = `/${entry.source}/${entry.base ?? 'main'}${entry.path}`.replace(/\/$/, '');
  const pattern = new RegExp(`^${wanted.split('*').map(RegExp.escape).join('.*')}$`);
  if (!pattern.test(decodeURIComponent(url.pathname).replace(/\/$/, ''))) return false;
  if (Object.entries(entry.query ?? {}).some(([name, value]) => url.searchParams.get(name) !== value)) return false;
  return (entry.bodyContains ?? []).every((text) => sent.includes(text));
}

// Without `await` here, so that tests can load this file with `require`.
if (import.meta.main) void main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      index: { type: 'string' },
      port: { type: 'string', default: '0' },
      'unrecorded-status': { type: 'string', default: '404' },
    },
  });
  if (values.folder === undefined || values.index === undefined) {
    process.stderr.write(
      'usage: node sandbox/replayer.ts --folder DIR --index FILE [--port 0] [--unrecorded-status 404]\n',
    );
    process.exit(2);
  }
  const index = JSON.parse(await readFile(values.index, 'utf8')) as ReplayEntry[];
  const replayer = await startReplayer({
    folder: values.folder,
    index,
    port: Number(values.port),
    unrecordedStatus: Number(values['unrecorded-status']),
  });
  process.stdout.write(`${JSON.stringify({ ready: true, url: replayer.url, entries: index.length })}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void replayer.close().then(() => process.exit(0)));
}
