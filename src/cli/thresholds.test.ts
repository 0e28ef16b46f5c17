import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { CliContext } from './context.ts';
import { thresholdsCommand } from './thresholds.ts';

/** Runs `assay thresholds list` at a service that gives these replies, by path. */
async function listed(t: TestContext, replies: Readonly<Record<string, readonly [status: number, body: unknown]>>) {
  const server = createServer((request, response) => {
    const [status, body] = replies[request.url ?? ''] ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const [out, err]: [string[], string[]] = [[], []];
  const context = {
    config: { serviceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, serviceKey: 'ak_live_x' },
    terminal: {
      out: (text: string) => out.push(text),
      err: (text: string) => err.push(text),
      progress: () => undefined,
    },
  } as unknown as CliContext;
  return { code: await thresholdsCommand.run(['list'], context), out: out.join('\n'), err: err.join('\n') };
}

const CHAINS = [200, { data: [{ chain: 'solana' }, { chain: 'base' }] }] as const;
const problem = (status: number, code: string) => [status, { code, detail: `${code} it is`, status }] as const;

test('a chain that could not be listed is reported, and its thresholds are not taken for none', async (t) => {
  const { code, out, err } = await listed(t, {
    '/v1/chains': CHAINS,
    '/v1/solana/thresholds': [200, { data: [] }],
    '/v1/base/thresholds': problem(503, 'not_ready'),
  });
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^base: not_ready: not_ready it is/);
  assert.doesNotMatch(err, /no thresholds are set yet/);
});

test('chains that the plan does not include are left out', async (t) => {
  const { code, err } = await listed(t, {
    '/v1/chains': CHAINS,
    '/v1/solana/thresholds': [200, { data: [] }],
    '/v1/base/thresholds': problem(403, 'plan_does_not_include'),
  });
  assert.equal(code, 0);
  assert.match(err, /^no thresholds are set yet/);
});
