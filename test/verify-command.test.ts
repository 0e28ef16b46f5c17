import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../src/cli/context.ts';
import { verifyCommand } from '../src/cli/verify.ts';
import { assay } from './support/command-line.ts';
import { type TestService, testService } from './support/service.ts';

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
type Json = Readonly<Record<string, unknown>>;
let world: TestService;
let folder: string;
let asset: string;
let rating: Json;
let asOf: string;
let proofs: Json;

before(async () => {
  [world, folder] = await Promise.all([testService({ freshSeconds: 0 }), mkdtemp(join(tmpdir(), 'assay-verify-'))]);
  asset = await rate();
  rating = await read(`/v1/rms/${encodeURIComponent(asset)}`);
  asOf = String(rating.as_of);
  proofs = await read(`/v1/rms/${encodeURIComponent(asset)}/proofs`);
  for (let turn = 0; turn < 300 && Array.isArray(proofs.data) && proofs.data.length === 0; turn += 1) {
    await sleep(100);
    proofs = await read(`/v1/rms/${encodeURIComponent(asset)}/proofs`);
  }
  await save('keys.json', await read('/.well-known/assay-keys.json'));
  await save('rating.json', rating);
  await save('better.json', { ...rating, band: 'AAA' });
  await save('proofs.json', proofs);
  for (const [name, chain] of [
    ['eas.json', 'eip155:1'],
    ['solana.json', SOLANA],
  ] as const)
    await save(name, await read(`/v1/rms/${encodeURIComponent(asset)}/attestation?chain=${chain}`));
  await save('none.json', await read(`/v1/log/revocations?chain=eip155:1`));
  // A newer rating: the records before it are void.
  await rate();
  await save('revocations.json', await read(`/v1/log/revocations?chain=eip155:1`));
  await save('revocations-solana.json', await read(`/v1/log/revocations?chain=${SOLANA}`));
});
after(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

async function rate(): Promise<string> {
  const json = { type: 'posttge', project: 'Tidewell', project_url: 'https://tidewell.example/', token_symbol: 'TIDE' };
  const reply = await world.call('/v1/score', { json });
  assert.equal(reply.status, 200);
  return ((await reply.json()) as { readonly asset: { readonly id: string } }).asset.id;
}
const read = async (path: string) => (await (await world.call(path)).json()) as Json;
const save = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
const named = (file: string, options: readonly string[]) => [
  join(folder, file),
  '--keys',
  join(folder, 'keys.json'),
  ...options.map((option) => (option.endsWith('.json') ? join(folder, option) : option)),
];
/** The command without the service: it has files alone. Gives the exit code and what it said. */
async function verify(file: string, ...options: readonly string[]) {
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const terminal = { out: say, err: say, progress: () => undefined };
  const code = await verifyCommand.run(named(file, options), { terminal } as unknown as CliContext);
  return [code, lines.join('\n').replace(/^does not hold: /, '')] as const;
}

test('the command needs no service, no database and no sandbox', async () => {
  const run = (file: string) =>
    assay({ sources: {}, dataDir: join(folder, 'nothing') } as never, ['verify', ...named(file, ['--sandbox'])], {
      ASSAY_DATA_MODE: 'live',
    });
  const [good, bad] = [await run('rating.json'), await run('better.json')];
  assert.deepEqual([good.code, good.err], [0, '']);
  assert.deepEqual([bad.code, bad.err.trim()], [1, 'does not hold: wrong_signature']);
});

test('a rating and both records verify by the public keys alone, with their content', async () => {
  const [code, said] = await verify('rating.json', '--sandbox', '--asset', asset, '--proof', 'proofs.json');
  assert.equal(code, 0, said);
  assert.match(
    said,
    new RegExp(`^holds: asset ${asset}, band BBB?, score [\\d.]+, as_of ${asOf}, log \\S+, logged_before `),
  );
  for (const file of ['eas.json', 'solana.json']) {
    const [held, text] = await verify(file, '--sandbox', '--asset', asset, '--worst-band', 'BB');
    assert.equal(held, 0, text);
    assert.match(text, /^holds: asset .* band BBB?, score [\d.]+, trust [\d.]+, as_of /);
  }
  const [, json] = await verify('eas.json', '--sandbox', '--json');
  assert.equal(JSON.parse(json).said.asset, asset);
});

test('a rating that was corrected verifies as it was signed, says what it should have been, and is judged by the worse of both', async () => {
  await save('corrected.json', { ...rating, correction: { band: 'CCC', score: 41, reason: 'a wrong supply' } });
  const [code, said] = await verify('corrected.json', '--sandbox', '--proof', 'proofs.json');
  assert.equal(code, 0, said);
  assert.match(said, /, corrected_to CCC, log /);
  assert.equal((await verify('rating.json', '--sandbox', '--worst-band', 'BB'))[0], 0);
  assert.deepEqual(await verify('corrected.json', '--sandbox', '--worst-band', 'BB'), [1, 'band_too_low']);
});

test('forged, moved, sandbox, stale and insufficient records are rejected, with the exit code', async () => {
  const { data } = proofs as { readonly data: readonly { readonly leaf: string; readonly path: readonly string[] }[] };
  const [proof] = data;
  assert.ok(proof);
  await save('unsigned-log.json', {
    ...proofs,
    data: [{ ...proof, leaf: proof.leaf.replace('2026', '2025') }],
  });
  await save('strangers.json', { keys: [{ kid: 'x', x: 'A'.repeat(43) }] });
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['better.json', ['--sandbox'], 'wrong_signature'],
    ['rating.json', [], 'other_mode'],
    ['rating.json', ['--sandbox', '--asset', 'eip155:1/slip44:60'], 'other_asset'],
    [
      'rating.json',
      ['--sandbox', '--max-age', '1', '--at', new Date(Date.parse(asOf) + 7_200_000).toISOString()],
      'too_old',
    ],
    ['rating.json', ['--sandbox', '--at', '2020-01-01T00:00:00Z'], 'not_yet_valid'],
    ['rating.json', ['--sandbox', '--worst-band', 'AAA'], 'band_too_low'],
    ['rating.json', ['--sandbox', '--revocations', 'revocations.json'], 'revoked'],
    ['rating.json', ['--sandbox', '--keys', 'strangers.json'], 'unknown_key'],
    ['eas.json', [], 'other_asset'],
    ['solana.json', [], 'other_asset'],
    ['eas.json', ['--sandbox', '--asset', 'eip155:1/slip44:60'], 'other_asset'],
    ['eas.json', ['--sandbox', '--chain', 'eip155:10'], 'other_chain'],
    ['solana.json', ['--sandbox', '--chain', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'], 'other_chain'],
    ['eas.json', ['--sandbox', '--keys', 'strangers.json'], 'unknown_key'],
    ['solana.json', ['--sandbox', '--keys', 'strangers.json'], 'unknown_key'],
    ['eas.json', ['--sandbox', '--worst-band', 'AA'], 'band_too_low'],
    ['eas.json', ['--sandbox', '--at', new Date(Date.parse(asOf) + 37 * 3_600_000).toISOString()], 'expired'],
    ['eas.json', ['--sandbox', '--revocations', 'revocations.json'], 'revoked'],
    ['solana.json', ['--sandbox', '--revocations', 'revocations-solana.json'], 'revoked'],
    ['solana.json', ['--sandbox', '--revocations', 'revocations.json'], 'revocations_of_another_place'],
  ];
  for (const [file, options, reason] of cases)
    assert.deepEqual(await verify(file, ...options), [1, reason], `${file} ${options.join(' ')}`);
  const [, other] = await verify('rating.json', '--sandbox', '--proof', 'unsigned-log.json');
  assert.equal(other, 'not_included');
  assert.equal((await verify('eas.json', '--sandbox', '--revocations', 'none.json'))[0], 0);
});

test('a record is refused with any part altered, and a list of revocations with a line left out', async () => {
  const eas = JSON.parse(JSON.stringify(await read(`/v1/rms/${encodeURIComponent(asset)}/attestation`)));
  const alterations: readonly ((one: typeof eas) => void)[] = [
    (one) => {
      one.eas.sig.message.expirationTime = '9999999999';
    },
    (one) => {
      one.eas.sig.message.data = one.eas.sig.message.data.replace(/^(0x.{127})./, '$10');
    },
    (one) => {
      one.eas.sig.message.salt = `0x${'1'.repeat(64)}`;
    },
    (one) => {
      one.eas.sig.signature.r = `0x${'2'.repeat(64)}`;
    },
    (one) => {
      one.eas.sig.signature.s = `0x${'f'.repeat(64)}`;
    },
    (one) => {
      one.eas.sig.domain.chainId = 10;
    },
  ];
  const words: readonly ((one: typeof eas) => void)[] = [
    (one) => {
      one.claim.band -= 1;
    },
    (one) => {
      one.claim.score += 1;
    },
    (one) => {
      one.claim.trust += 1;
    },
    (one) => {
      one.claim.record_sha256 = '0'.repeat(64);
    },
    (one) => {
      one.as_of = new Date(Date.parse(one.as_of) + 1).toISOString();
    },
    (one) => {
      one.expires_at = new Date(Date.parse(one.expires_at) + 1_000).toISOString();
    },
  ];
  for (const [index, alter] of words.entries()) {
    const one = structuredClone(eas);
    alter(one);
    await save('altered.json', one);
    assert.deepEqual(await verify('altered.json', '--sandbox'), [1, 'claim_differs'], `words ${index}`);
  }
  for (const [index, alter] of alterations.entries()) {
    const one = structuredClone(eas);
    alter(one);
    await save('altered.json', one);
    const [code, reason] = await verify('altered.json', '--sandbox');
    assert.equal(code, 1, `${index}: ${reason}`);
    assert.match(reason, /^(unknown_key|malformed|other_chain)$/);
  }
  const list = await read('/v1/log/revocations?chain=eip155:1');
  await save('cut.json', { ...list, data: [] });
  assert.deepEqual(await verify('eas.json', '--sandbox', '--revocations', 'cut.json'), [1, 'revocations_not_signed']);
  // The last page is signed, and the line of the asset is on an earlier one.
  await save('last.json', await read('/v1/log/revocations?chain=eip155:1&cursor=zzzz:z'));
  assert.deepEqual(await verify('eas.json', '--sandbox', '--revocations', 'last.json'), [1, 'revocations_not_whole']);
});

test('malformed records, missing files and invalid calls end with other codes', async () => {
  await save('other.json', { hello: 1 });
  await writeFile(join(folder, 'text.json'), 'no json');
  assert.equal((await verify('other.json'))[0], 65);
  assert.equal((await verify('text.json'))[0], 65);
  assert.equal((await verify('rating.json', '--proof', 'other.json', '--sandbox'))[0], 65);
  assert.equal((await verify('absent.json'))[0], 66);
  assert.equal((await verify('rating.json', '--worst-band', 'ZZ'))[0], 64);
  assert.equal((await verify('rating.json', '--at', 'noon'))[0], 64);
});
