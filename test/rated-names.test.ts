import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestService, testService } from './support/service.ts';

/** What finds a token by its words that no list has: searches of pools. */
const SEARCHES = ['dexscreener', 'geckoterminal', 'coinpaprika'];

let world: TestService;
before(async () => {
  // Each score collects anew: what is asked is whether the words lead anywhere.
  world = await testService({ freshSeconds: 0 });
});
after(() => world.close());

const score = async (json: unknown) => {
  const reply = await world.call('/v1/score', { json });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};
const idOf = ({ body }: Awaited<ReturnType<typeof score>>) => (body.asset as { readonly id: string } | undefined)?.id;

test('an asset that was rated here is found by its name and its ticker when no search finds them any more', async () => {
  const hive = world.sandbox.world.assets.find(({ slug }) => slug === 'hivecoin');
  assert.ok(hive);
  const at = { token_address: hive.address, blockchain: hive.chain };
  const rated = await score({ type: 'posttge', project: hive.name, project_url: hive.url, ...at });
  assert.equal(rated.status, 200);
  for (const source of SEARCHES) world.sandbox.faults.add({ source, endpoint: 'search', kind: 'server_error' });
  for (const asset of ['HIVC', 'hivecoin', 'Hivecoin']) {
    const again = await score({ asset });
    assert.deepEqual([again.status, idOf(again)], [200, idOf(rated)], `${asset}: ${JSON.stringify(again.body)}`);
    assert.match(String(again.body.warnings), /newest published rating of what was rated here under it, /);
  }
  const other = await score({ asset: 'HIVC', blockchain: 'solana' });
  assert.notEqual(other.status, 200, 'not on a chain where it is not');
  const unknown = await score({ asset: 'Hivecoins' });
  assert.notEqual(unknown.status, 200);
});
