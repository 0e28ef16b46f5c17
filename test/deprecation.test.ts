import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { atomOf, itemsOf } from '../src/api/routes/changelog.ts';
import { ChangelogFeed } from '../src/contract/changelog.ts';
import { DEPRECATIONS, type Deprecation, SUNSET_MONTHS } from '../src/contract/deprecation.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';

const UP = solanaAsset('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'UP');
const OLD: readonly Deprecation[] = [
  { operationId: 'listRatings', parameter: null, since: '2026-11-26', sunset: '2027-11-26', instead: 'Use another.' },
  { operationId: 'getRating', parameter: 'format', since: '2026-12-01', sunset: '2027-12-01', instead: 'Use `view`.' },
];

const LINK = '</v1/changelog>; rel="deprecation"; type="application/feed+json"';
let world: RatingWorld;
before(async () => {
  world = await ratingWorld('2026-11-22T12:00:00.000Z', { deprecations: OLD });
  await world.put(ratingOf(UP, '2026-11-22T08:00:00.000Z'));
});
after(() => world.close());

const said = async (path: string) => {
  const { headers, status } = await world.get(path);
  return [status, headers.get('deprecation'), headers.get('sunset'), headers.get('link')];
};

test('a user of a deprecated field gets its dates since and until, and no other user does', async () => {
  assert.deepEqual(await said('/v1/rms'), [200, '@1795651200', 'Fri, 26 Nov 2027 00:00:00 GMT', LINK]);
  assert.deepEqual(await said('/v1/rms/UP?format=digest'), [200, '@1796083200', 'Wed, 01 Dec 2027 00:00:00 GMT', LINK]);
  assert.deepEqual(await said('/v1/rms/UP?view=digest'), [200, null, null, null]);
  assert.deepEqual(await said('/v1/rms/UP/history'), [200, null, null, null]);
});

test('replies from memory have the same deprecation headers as the router’s, for the operation and for a header of it', async () => {
  const batch = {
    operationId: 'batchRatings',
    parameter: null,
    since: '2026-11-26',
    sunset: '2027-11-26',
    instead: 'No.',
  };
  const header = { ...batch, operationId: 'getRating', parameter: 'X-Old' };
  const requests: string[] = [];
  const hot = await ratingWorld('2026-11-22T12:00:00.000Z', {
    deprecations: [batch, header],
    onRequest: (route) => void requests.push(route),
  });
  try {
    await hot.put(ratingOf(UP, '2026-11-22T08:00:00.000Z'));
    const ask = async (path: string, options: Parameters<typeof hot.get>[1] = {}) => {
      const reply = await hot.get(path, options);
      await reply.text();
      return [reply.status, reply.headers.get('deprecation'), reply.headers.get('sunset'), reply.headers.get('link')];
    };
    const told = [200, '@1795651200', 'Fri, 26 Nov 2027 00:00:00 GMT', LINK];
    const post = { method: 'POST', body: { assets: ['UP'] } };
    const old = { headers: { 'x-old': '1' } };
    // The first comes from the router, the others from memory.
    for (let time = 0; time < 3; time += 1) {
      assert.deepEqual(await ask('/v1/rms/batch', post), told);
      assert.deepEqual(await ask('/v1/rms/UP', old), told);
      assert.deepEqual(await ask('/v1/rms/UP'), [200, null, null, null]);
    }
    assert.equal(requests.length, 9);
  } finally {
    await hot.close();
  }
});

test('the OpenAPI document marks what is deprecated, and nothing else', async () => {
  interface Operation {
    readonly operationId: string;
    readonly deprecated?: boolean;
    readonly parameters?: readonly { name: string; deprecated?: boolean; schema?: { deprecated?: boolean } }[];
  }
  const document = (await (await world.get('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const marked = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, deprecated, parameters = [] }) => [
      ...(deprecated ? [operationId] : []),
      ...parameters.flatMap((one) => (one.deprecated || one.schema?.deprecated ? [`${operationId} ${one.name}`] : [])),
    ]);
  assert.deepEqual(marked.sort(), ['getRating format', 'listRatings']);
});

test('what the contract deprecates works for twelve months, and the page names it', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/deprecation.md'), 'utf8');
  for (const { operationId, parameter, since, sunset } of DEPRECATIONS) {
    const least = new Date(since);
    least.setUTCMonth(least.getUTCMonth() + SUNSET_MONTHS);
    assert.ok(Date.parse(sunset) >= least.getTime(), `${operationId}: ${sunset}`);
    assert.ok(page.includes(`\`${operationId}\``) && (parameter === null || page.includes(`\`${parameter}\``)));
  }
  assert.equal(/^Nothing at present\.$/m.test(page), DEPRECATIONS.length === 0);
});

test('the changelog is a feed of its versions, as JSON Feed and as Atom', async () => {
  const reply = await fetch(`${world.url}/v1/changelog`);
  const feed = (await reply.json()) as { items: { id: string; title: string; content_text: string }[] };
  assert.ok(Compile(ChangelogFeed).Check(feed));
  const file = await readFile(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
  assert.deepEqual(
    feed.items.map(({ id }) => id),
    [...file.matchAll(/^## (\S+) /gm)].map(([, version]) => `assay/${version}`),
  );
  assert.ok(feed.items.every(({ content_text: text }) => text.length > 20 && !text.includes('\n## ')));
  const known = await fetch(`${world.url}/v1/changelog`, {
    headers: { 'if-none-match': reply.headers.get('etag') ?? '' },
  });
  assert.equal(known.status, 304);
  const atom = await fetch(`${world.url}/v1/changelog`, { headers: { accept: 'application/atom+xml' } });
  assert.match(atom.headers.get('content-type') ?? '', /^application\/atom\+xml/);
  const text = await atom.text();
  assert.equal(text.match(/<entry>/g)?.length, feed.items.length);
  assert.equal(text, atomOf(itemsOf(file)));
  const [hostile] = itemsOf('## 9.9.9 (2026-01-01)\n\n- <script>&"\n');
  assert.ok(hostile);
  assert.match(atomOf([hostile]), /&lt;script&gt;&amp;/);
});
