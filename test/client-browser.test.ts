import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { launchBrowser, noBrowser } from './support/browser.ts';
import { packedClient } from './support/packed-client.ts';
import { type TestService, testService } from './support/service.ts';
import { SECRET, signedDelivery } from './support/webhook-delivery.ts';

/** What somebody would write: the client as the page's only script, under a policy that lets no other run. */
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>A page</title><script type="module" src="./main.js"></script>';
const SCRIPT = `import * as client from '@assay/client';\nglobalThis.client = client;\n`;

let world: TestService;
let browser: Browser;
let page: Page;
let script: Buffer;
let key = '';
/** What the page complained about: its console, its errors, requests that went elsewhere. */
const complaints: string[] = [];
const closings: (() => Promise<unknown>)[] = [];

describe('the packed client in a page of another origin', { skip: noBrowser }, () => {
  before(async () => {
    const packed = await packedClient();
    closings.push(packed.remove);
    script = await bundle(packed.project);
    const { origin } = await serve(script);
    const plansFile = join(packed.project, 'plans.json');
    await writeFile(plansFile, await plansWithOneJobAtATime());
    world = await testService({ corsOrigins: [origin], plansFile });
    closings.push(world.close);
    const made = await world.call('/v1/admin/keys', {
      json: { name: 'page', scopes: ['score', 'rms:read', 'rms:write'], plan: 'RATING' },
    });
    key = ((await made.json()) as { readonly secret: string }).secret;
    browser = await launchBrowser();
    closings.push(() => browser.close());
    page = await openPage(origin);
  });
  after(async () => {
    for (const close of closings.reverse()) await close();
  });

  test('scores a project, with the reply a program outside of a browser gets', async () => {
    const score = await inPage<Record<string, Record<string, unknown>>>(`
      return assay.score({ type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/' });
    `);
    assert.match(String(score.rating?.band), /^(A|BBB|BB)$/);
    assert.equal(score.data_mode, 'sandbox');
  });

  test('follows a job from its first event to its last, and again from the middle', async () => {
    const seen = await inPage<{ all: { id: string; type: string }[]; rest: { id: string }[]; band: string }>(`
      const request = { type: 'posttge', project: 'Hivecoin', project_url: 'https://hivecoin.example/' };
      const { job_id } = await assay.startScore(request);
      const read = async (options) => {
        const events = [];
        for await (const event of assay.jobEvents(job_id, options)) events.push(event);
        return events;
      };
      const all = await read();
      const rest = await read({ lastEventId: all[3].id });
      return { all, rest, band: (await assay.jobResult(job_id)).rating.band };
    `);
    assert.ok(seen.all.filter(({ type }) => type === 'source').length > 10);
    assert.deepEqual(
      seen.rest.map(({ id }) => id),
      seen.all.slice(4).map(({ id }) => id),
    );
    assert.equal(seen.band, 'C');
  });

  test('reads a list over its pages, one at a time, and no further than it is read', async () => {
    const pages: string[] = [];
    const note = (request: { url: () => string; method: () => string }) => {
      if (request.url().includes('/v1/rms?') && request.method() === 'GET') pages.push(request.url());
    };
    page.on('request', note);
    const symbols = await inPage<string[]>(`
      const symbols = [];
      for await (const one of assay.items('GET /v1/rms', { query: { limit: 1, sort: '-score' } })) symbols.push(one.asset.symbol);
      return symbols;
    `);
    assert.deepEqual(symbols, ['TIDE', 'HIVC']);
    const all = pages.splice(0).length;
    assert.ok(all >= 2);
    await inPage(`for await (const one of assay.items('GET /v1/rms', { query: { limit: 1 } })) return one.band;`);
    assert.equal(pages.length, 1);
    page.off('request', note);
  });

  test('is refused with 429, waits for Retry-After, and is admitted', async () => {
    world.sandbox.faults.add({ source: 'rdap', kind: 'latency', ms: 800 });
    const refusals: number[] = [];
    const note = async (response: { status: () => number; headerValue: (name: string) => Promise<string | null> }) => {
      if (response.status() === 429) refusals.push(Number(await response.headerValue('retry-after')));
    };
    page.on('response', note);
    const seen = await inPage<{ states: string[]; milliseconds: number }>(`
      const request = (name) => ({ type: 'posttge', project: name, project_url: 'https://' + name.toLowerCase() + '.example/', category: 'again' });
      const first = await assay.startScore(request('Tidewell'));
      const begun = performance.now();
      const second = await assay.startScore(request('Hivecoin'));
      return { states: [first.state, second.state], milliseconds: performance.now() - begun };
    `);
    page.off('response', note);
    world.sandbox.faults.clear();
    assert.equal(refusals.length, 1);
    assert.ok(seen.milliseconds >= (refusals[0] ?? 0) * 1000, `${seen.milliseconds} ms`);
    assert.ok((refusals[0] ?? 0) > 0);
  });

  test('fails at once for a pause longer than it would wait, with the seconds the service stated', async () => {
    const refused = await inPage<{ code: string; seconds: number; milliseconds: number }>(`
      const hasty = client.createClient({ ...where, retry: { longestPauseMs: 0 } });
      const request = (name) => ({ type: 'posttge', project: name, project_url: 'https://x.example/', category: String(Math.random()) });
      const begun = performance.now();
      try {
        for (const one of ['One', 'Two', 'Three', 'Four']) await hasty.startScore(request(one));
      } catch (error) {
        return { code: error.code, seconds: error.retryAfterSeconds, milliseconds: performance.now() - begun };
      }
    `);
    assert.equal(refused.code, 'concurrency_limited');
    assert.ok(refused.seconds > 0 && refused.milliseconds < refused.seconds * 1000);
  });

  test('checks a rating and a webhook by the browser’s own WebCrypto, and believes no changed one', async () => {
    const { body, headers } = signedDelivery(SECRET);
    const seen = await inPage<Record<string, { valid: boolean; reason?: string; id?: string }>>(`
      const rating = await assay.rating('TIDE');
      const keys = await assay.keys();
      const delivery = ${JSON.stringify({ secret: SECRET, headers, body })};
      return {
        rating: await assay.verify(rating),
        better: await client.verifyRecord({ ...rating, band: 'AAA' }, keys),
        webhook: await client.verifyWebhook({ ...delivery, headers: new Headers(delivery.headers) }),
        changed: await client.verifyWebhook({ ...delivery, body: delivery.body.replace('7', '8') }),
      };
    `);
    assert.equal(seen.rating?.valid, true);
    assert.deepEqual(seen.better, { valid: false, reason: 'wrong_signature' });
    assert.deepEqual([seen.webhook?.valid, seen.webhook?.id], [true, 'msg_1']);
    assert.deepEqual(seen.changed, { valid: false, reason: 'wrong_signature' });
  });

  test('receives alerts by a stream, which ends when the page is closed', async () => {
    const seen = await inPage<string>(`
      const signal = AbortSignal.timeout(800);
      try {
        for await (const alert of assay.alertStream({ lastEventId: '0', signal })) return alert.title;
      } catch (error) {
        return error.name;
      }
    `);
    assert.equal(seen, 'TimeoutError');
  });

  test('does not show cached data of another key, and logs no errors', async () => {
    assert.deepEqual(complaints.splice(0), []);
    const problem = await inPage<{ status: number; code: string; id: string }>(`
      try {
        await client.createClient({ ...where, apiKey: 'ak_live_nobody' }).rating('TIDE');
      } catch (error) {
        return { status: error.status, code: error.code, id: error.requestId };
      }
    `);
    assert.deepEqual([problem.status, problem.code], [401, 'invalid_api_key']);
    assert.ok(problem.id);
    // The browser notes each refused request in its console.
    complaints.length = 0;
  });

  test('a page whose origin the operator did not name reads nothing', async () => {
    const foreign = await serve(script);
    const stranger = await openPage(foreign.origin);
    const reason = await inPage<string>(
      `const once = client.createClient({ ...where, retry: { retries: 0 } });
      try { return (await once.rating('TIDE')).band; } catch (error) { return error.reason; }`,
      stranger,
    );
    assert.equal(reason, 'unreachable');
    await stranger.context().close();
  });
});

/** The page's script: the client out of the packed package, as a bundler makes it. */
async function bundle(project: string): Promise<Buffer> {
  await writeFile(join(project, 'index.html'), PAGE);
  await writeFile(join(project, 'main.js'), SCRIPT);
  const output = { entryFileNames: 'main.js' };
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    base: './',
    build: { outDir: 'dist', modulePreload: { polyfill: false }, rolldownOptions: { output } },
  });
  return readFile(join(project, 'dist/main.js'));
}

/** A web server of its own origin, with the page and its script. */
async function serve(script: Buffer): Promise<{ readonly origin: string }> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js';
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'content-security-policy': "default-src 'none'; script-src 'self'; connect-src http://127.0.0.1:*",
    });
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closings.push(() => new Promise((closed) => server.close(closed)));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function openPage(origin: string): Promise<Page> {
  const opened = await (await browser.newContext()).newPage();
  opened.on('pageerror', (error) => complaints.push(String(error)));
  opened.on('console', (message) => {
    if (message.type() === 'error' && !/status of 429/.test(message.text())) complaints.push(message.text());
  });
  await opened.goto(origin);
  await opened.waitForFunction("'client' in globalThis");
  return opened;
}

/** Runs a piece of the page's own program: `client` is the module, `assay` a client of the service. */
function inPage<Value>(code: string, where: Page = page): Promise<Value> {
  const options = JSON.stringify({ baseUrl: world.service.url, apiKey: key });
  // Through the debugger, which the page's policy does not bind.
  return where.evaluate(`(async () => {
    const where = ${options};
    const assay = client.createClient(where);
    ${code}
  })()`) as Promise<Value>;
}

async function plansWithOneJobAtATime(): Promise<string> {
  const book = JSON.parse(await readFile(new URL('../src/access/plans/plans.json', import.meta.url), 'utf8')) as {
    readonly plans: readonly Readonly<Record<string, unknown>>[];
  };
  return JSON.stringify({ plans: book.plans.map((plan) => ({ ...plan, concurrent_scoring_jobs: 1 })) });
}
