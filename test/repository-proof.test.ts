import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type SandboxKey, sandboxKey } from '../sandbox/openpgp.ts';
import { challengeText } from '../src/disclosure/control.ts';
import {
  proveByRepository,
  type RepositoryHost,
  type SignedCommit,
  tiedRepository,
} from '../src/disclosure/repository-proof.ts';
import { DAY_MS } from '../src/domain/index.ts';
import { noGpg, openGpg } from './support/gpg.ts';

const OPENED = Date.parse('2026-11-20T10:00:00Z');
const NOW = Date.parse('2026-11-20T12:00:00Z');
const CREATED = '2023-01-02T03:04:05Z';
const REPOSITORY = { name: 'Tide-Labs/core', createdAt: CREATED };
const CHALLENGE = {
  assetId: 'eip155:1/erc20:0x1f98',
  reference: 'a'.repeat(32),
  installation: 'f'.repeat(16),
  nonce: 'b'.repeat(32),
  expiresAt: '2026-11-22T10:00:00.000Z',
  openedAt: new Date(OPENED).toISOString(),
};
const TEXT = challengeText(CHALLENGE);
const key = sandboxKey('maintainer', Date.UTC(2024, 0, 1));
const other = sandboxKey('other', Date.UTC(2024, 0, 1));
const iso = (at: number) => new Date(at).toISOString();

function commitsBy(by: Pick<SandboxKey, 'signed'>, daysAgo: readonly number[]): readonly SignedCommit[] {
  return daysAgo.map((days) => {
    const at = OPENED - days * DAY_MS;
    const payload = `tree ${days}\n\nChange\n`;
    return { payload, signature: by.signed(payload, at), verifiedAt: iso(at) };
  });
}

interface World {
  readonly owner: 'person' | 'organisation';
  readonly createdAt: string;
  readonly members: readonly string[];
  readonly keys: readonly string[];
  readonly commits: readonly SignedCommit[];
}
const GOOD: World = {
  owner: 'organisation',
  createdAt: CREATED,
  members: ['Maintainer'],
  keys: [other.armored(), key.armored()],
  commits: commitsBy(key, [40, 60, 90]),
};

/** What is said of a proof, and what the host was asked. */
async function said(
  changes: Partial<World> = {},
  given: { account?: string; signature?: string } = {},
  repository: Parameters<typeof proveByRepository>[0] = REPOSITORY,
) {
  const world = { ...GOOD, ...changes };
  const asked: string[] = [];
  const tell = async <Value>(what: string, value: Value) => {
    asked.push(what);
    return { ok: true, value } as const;
  };
  const host: RepositoryHost = {
    repository: () => tell('repository', { ownerIsPerson: world.owner === 'person', createdAt: world.createdAt }),
    isPublicMember: (_, login) =>
      tell(
        'members',
        world.members.some((one) => one.toLowerCase() === login.toLowerCase()),
      ),
    keysOf: () => tell('keys', world.keys),
    commitsOf: () => tell('commits', world.commits),
  };
  const { account = 'maintainer', signature = key.signed(TEXT, NOW) } = given;
  const proved = await proveByRepository(repository, CHALLENGE, { account, signature }, host, NOW);
  return { what: proved.ok ? proved.value : proved.detail, asked: asked.join(' ') };
}

test('a public member of the organisation, and the owner of his own repository, prove control with the key of their commits', async () => {
  const { what, asked } = await said();
  assert.deepEqual(what, {
    method: 'repository',
    role: 'public member of the organisation that owns the repository',
    subject: `Tide-Labs/core, maintainer, key ${key.fingerprint.toUpperCase()}`,
  });
  assert.equal(asked, 'repository members keys commits');
  const own = await said({ owner: 'person', members: [] }, { account: 'tide-labs' });
  assert.partialDeepStrictEqual(own.what, { role: 'owner of the repository' });
});

test('an outsider whose signed commits were merged proves nothing, whoever owns the repository', async () => {
  const theirs = { keys: [other.armored()], commits: commitsBy(other, [40, 60, 90]) };
  const given = { account: 'friend', signature: other.signed(TEXT, NOW) };
  const refused = await said(theirs, given);
  assert.match(String(refused.what), /expected a public member of Tide-Labs/);
  assert.equal(refused.asked, 'repository members', 'his keys are not even asked for');
  assert.match(String((await said({ ...theirs, owner: 'person' }, given)).what), /expected the account that owns/);
});

test('the key that GitHub merges with, and keys of machines, prove nothing', async () => {
  for (const account of ['web-flow', 'dependabot[bot]']) {
    const refused = await said({ members: ['web-flow', 'dependabot[bot]'] }, { account });
    assert.match(String(refused.what), /machine/);
    assert.equal(refused.asked, '');
  }
});

test('a key without a past in the repository proves nothing: too few commits, too new, too old, or signed by another key', async () => {
  for (const [why, commits] of [
    ['none', []],
    ['two', commitsBy(key, [40, 60])],
    ['of this month', commitsBy(key, [1, 2, 3, 40, 60])],
    ['of years ago', commitsBy(key, [400, 500, 600, 40])],
    ['one told of three times', [40, 40, 40].flatMap((day) => commitsBy(key, [day]))],
    ['by another key', commitsBy(other, [40, 60, 90])],
    ['signatures of other text', commitsBy(key, [40, 60, 90]).map((one) => ({ ...one, payload: `${one.payload}.` }))],
    ['no signatures', commitsBy(key, [40, 60, 90]).map((one) => ({ ...one, signature: 'made up' }))],
  ] as const) {
    const { what } = await said({ commits });
    assert.match(String(what), /expected a key that signed at least 3 commits/, why);
  }
});

test('a signature of another text or key, of another time, or by a key that is revoked or not shown proves nothing', async () => {
  for (const [changes, given, words] of [
    [{}, { signature: key.signed(`${TEXT} `, NOW) }, /not of this challenge/],
    [{ keys: [other.armored()] }, {}, /not by a key that the account shows/],
    [{ keys: [] }, {}, /not by a key/],
    [{ keys: [key.armored(NOW - DAY_MS)] }, {}, /the key was revoked/],
    [
      { keys: ['-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nAAAA\n-----END PGP PUBLIC KEY BLOCK-----'] },
      {},
      /not by a key/,
    ],
  ] as const)
    assert.match(String((await said(changes, given)).what), words);
  for (const [signature, words] of [
    [key.signed(TEXT, OPENED - DAY_MS), /made after the appeal was opened/],
    [key.signed(TEXT, NOW + DAY_MS), /made after the appeal was opened/],
    ['0x00', /expected one armoured OpenPGP signature/],
    [key.armored(), /expected one armoured OpenPGP signature/],
  ] as const) {
    const refused = await said({}, { signature });
    assert.match(String(refused.what), words);
    assert.equal(refused.asked, '', 'nobody is asked for what can be seen at once');
  }
});

test('a repository that took over the name of the rated one, or is young, proves nothing', async () => {
  assert.match(String((await said({ createdAt: '2026-01-01T00:00:00Z' })).what), /not the repository that was rated/);
  const young = iso(OPENED - 20 * DAY_MS);
  const refused = await said({ createdAt: young }, {}, { ...REPOSITORY, createdAt: young });
  assert.match(String(refused.what), /at least 90 days old/);
  assert.match(String((await said({}, {}, { ...REPOSITORY, createdAt: null })).what), /does not say when/);
  assert.match(String((await said({}, {}, null)).what), /ties no repository/);
});

test('the repository is the one that the evidence ties: confirmed, and alone', () => {
  const tie = (subject: string, state = 'confirmed') => ({ kind: 'repository', subject, state, by: 'x' });
  const report = (ties: readonly object[], status = 'agreed') =>
    ({
      consensus: { 'ties@tie:one': { value: ties }, repo_created_at: { value: CREATED, status } },
    }) as never;
  assert.deepEqual(tiedRepository(report([tie('a/b')])), { name: 'a/b', createdAt: CREATED });
  assert.deepEqual(tiedRepository(report([tie('a/b')], 'disputed')), { name: 'a/b', createdAt: null });
  assert.equal(tiedRepository(report([tie('a/b', 'linked')])), null);
  assert.equal(tiedRepository(report([tie('a/b', 'linked'), tie('a')]))?.name, 'a/b', 'a register names its owner');
  assert.equal(tiedRepository(report([tie('a/b'), tie('c/d')])), null, 'two');
  assert.equal(tiedRepository(report([tie('a/b?x=/c')])), null);
  assert.equal(tiedRepository(report([{ ...tie('a/b'), kind: 'audit' }])), null);
  assert.equal(tiedRepository(null), null);
});

const gpg = noGpg === false ? openGpg() : null;
after(() => gpg?.close());

test('with GnuPG: commits and the challenge signed by a subkey, detached or clear', { skip: noGpg }, async () => {
  assert.ok(gpg);
  const made = '2025-01-05T10:00:00Z';
  const primary = gpg.key('maintainer', 'rsa3072', made, 'cert');
  gpg.run(['--quick-add-key', primary, 'ed25519', 'sign', 'never'], made);
  const signing = { signed: (text: string, at: number) => gpg.sign('maintainer', text, iso(at)) };
  const world = { commits: commitsBy(signing, [40, 60, 90]), keys: [gpg.publicKey('maintainer')] };
  const clear = gpg.run(['--output', '-', '--clear-sign'], iso(NOW), `${TEXT}\n`);
  for (const signature of [signing.signed(TEXT, NOW), signing.signed(`${TEXT}\n`, NOW), clear]) {
    const { what } = await said(world, { signature });
    assert.partialDeepStrictEqual(what, { subject: `Tide-Labs/core, maintainer, key ${primary}` });
  }
});
