import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { CliContext } from './context.ts';
import { logCommand } from './log.ts';

const ESCAPE = '\u001b[2J';
const KEYS = JSON.stringify({ keys: [{ kid: 'k', x: 'A'.repeat(43) }] });
const ROOT = Buffer.alloc(32).toString('base64');
const SIGNATURE = Buffer.alloc(68).toString('base64');

/** Runs `assay log verify` with the state of an earlier run against a log that gives this reply. */
async function verified(t: TestContext, status: number, reply: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-log-'));
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const [keys, state] = [join(folder, 'keys.json'), join(folder, 'state.json')];
  await writeFile(keys, KEYS);
  const at = '2026-11-01T00:00:00.000Z';
  await writeFile(state, JSON.stringify({ origin: 'assay.example/log', size: 0, parts: [], checkpoint: '', at }));
  const err: string[] = [];
  const context = {
    config: { serviceUrl: null, serviceKey: null },
    terminal: { out: () => undefined, err: (text: string) => err.push(text), progress: () => undefined },
  } as unknown as CliContext;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const code = await logCommand
    .run(['verify', '--url', url, '--keys', keys, '--state', state], context)
    .catch((error) => {
      err.push(String(error));
      return 1;
    });
  return { code, err: err.join('\n') };
}

test('what a log says reaches the terminal without control characters', async (t) => {
  const origin = `other${ESCAPE}.example/log`;
  const checkpoint = `${origin}\n1\n${ROOT}\ntime 2026-11-02T00:00:00.000Z\n\n— ${origin} ${SIGNATURE}\n`;
  const other = await verified(t, 200, { data: [{ checkpoint }] });
  assert.equal(other.code, 1);
  assert.match(other.err, /it is of other\?\[2J\.example\/log, and assay\.example\/log was verified before/);
  const refused = await verified(t, 500, { detail: `away${ESCAPE}` });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /replied with status 500: away\?\[2J/);
});
