import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { serviceOnSandbox } from '../sandbox/service-settings.ts';
import { sandboxResolver } from '../sandbox/settings.ts';
import { keyOfPerson, signersOf } from '../sandbox/world/signers.ts';
import { repositoryHostBy } from '../src/compose/appeal-repository.ts';
import { createEngine, type Engine } from '../src/compose/engine.ts';
import { agree } from '../src/consensus/agree.ts';
import { loadMethodology } from '../src/methodology/load.ts';
import { type RatingWorld, ratingOf, ratingWorld, solanaAsset } from './support/rating-world.ts';
import { rateInSandbox } from './support/sandbox-rating.ts';

/** From the evidence of an asset of the sandbox, which ties a repository, to GitHub of the sandbox, over sockets: people of that repository try to prove control. */
const START = Date.UTC(2026, 5, 1, 12);
let sandbox: Sandbox;
let engine: Engine;
let world: RatingWorld;
let asset = '';
let people: ReturnType<typeof signersOf>;

before(async () => {
  sandbox = await startSandbox({ seed: 1, port: 0, host: '127.0.0.1', now: () => START });
  const tide = sandbox.world.assets.find((row) => row.slug === 'tidewell');
  assert.ok(tide?.address);
  people = signersOf(tide);
  engine = createEngine(serviceOnSandbox(sandbox, { dataDir: '/nowhere' }), sandboxResolver(sandbox), () => START);
  const { observations } = rateInSandbox('tidewell');
  const consensus = agree(observations, loadMethodology(), new Date(START).toISOString());
  world = await ratingWorld(new Date(START).toISOString(), {}, undefined, {
    reportOf: async () => ({ consensus }),
    repositoryHost: repositoryHostBy(engine, () => START),
  });
  const rated = solanaAsset(tide.address, 'TIDE');
  asset = rated.id;
  await world.put(ratingOf(rated, '2026-06-01T08:00:00.000Z', { action: 'new' }));
});
after(async () => {
  await world.close();
  await engine.close();
  await sandbox.close();
});

/** What these tests look at of a reply; each has some of it. */
interface Said {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

async function post(path: string, body: object) {
  const reply = await world.get(path, { method: 'POST', key: '', body });
  return { status: reply.status, body: (await reply.json()) as Said };
}
async function opened() {
  const { status, body } = await post('/v1/public/appeals', { asset });
  assert.equal(status, 201, JSON.stringify(body));
  return body as unknown as { reference: string; task: { text: string; repository: string | null } };
}
const prove = (reference: string, proof: object) =>
  post(`/v1/public/appeals/${reference}/proof`, { method: 'repository', ...proof });

test('a maintainer proves control by the key that signs commits of the rated repository, once', async () => {
  const { reference, task } = await opened();
  assert.equal(task.repository, 'tidewell-labs/tidewell-core');
  const account = people.maintainer ?? '';
  const key = keyOfPerson(account);
  const signature = key.signed(task.text, START);
  const proved = await prove(reference, { account, signature });
  assert.equal(proved.status, 200, JSON.stringify(proved.body));
  assert.partialDeepStrictEqual(proved.body, {
    state: 'proved',
    proof: {
      method: 'repository',
      role: 'public member of the organisation that owns the repository',
      subject: `tidewell-labs/tidewell-core, ${account}, key ${key.fingerprint.toUpperCase()}`,
    },
  });
  assert.deepEqual((await prove(reference, { account, signature })).status, 409);
  const other = await opened();
  const replayed = await prove(other.reference, { account, signature });
  assert.deepEqual([replayed.status, replayed.body.code], [422, 'not_proved']);
});

test('an outsider with merged signed commits, a revoked key, another’s key and GitHub’s own are refused, with the reason', async () => {
  const { reference, task } = await opened();
  const [maintainer, leaver] = [people.maintainer ?? '', people.leaver ?? ''];
  const by = (login: string) => keyOfPerson(login).signed(task.text, START);
  for (const [account, signature, words] of [
    [people.friend, by(people.friend), /expected a public member of tidewell-labs/],
    [leaver, by(leaver), /the key was revoked/],
    [maintainer, by(people.friend), /not by a key that the account shows/],
    [maintainer, keyOfPerson(maintainer).signed(`${task.text}.`, START), /not of this challenge/],
    [maintainer, 'nothing', /expected one armoured OpenPGP signature/],
    ['web-flow', by('web-flow'), /machine/],
  ] as const) {
    const refused = await prove(reference, { account, signature });
    assert.deepEqual([refused.status, refused.body.code], [422, 'not_proved'], account);
    assert.match(refused.body.detail ?? '', words);
  }
  for (const [proof, pointer] of [
    [{ signature: by(maintainer) }, '/account'],
    [{ account: maintainer }, '/signature'],
    [{ account: '../x', signature: by(maintainer) }, '/account'],
    [{ account: maintainer, signature: 'a\u0000b' }, '/signature'],
    [{ account: maintainer, signature: 'x'.repeat(8_001) }, '/signature'],
    [{ method: 'dns', account: maintainer }, '/account'],
  ] as const) {
    const refused = await prove(reference, proof);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(refused.body));
  }
});
