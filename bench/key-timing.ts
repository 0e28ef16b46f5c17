import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createAccess } from '../src/access/access.ts';
import { newKeyText } from '../src/access/keys.ts';
import { testDatabase } from '../src/store/fixtures/database.ts';

/**
 * Whether the time of a refusal reveals how near a guessed key is to a real one: well-formed unknown keys, keys that share
 * their first 20 letters with a real one, and revoked keys, in random order, each looked up in PostgreSQL. Prints the
 * means and Welch's t relative to the unknown keys; |t| below 4.5 is taken as "no leak seen" (TVLA).
 */
const ROUNDS = Number(process.argv[2] ?? 20_000);
const database = await testDatabase();
let now = 1_000;
const access = createAccess(
  database.store.db,
  () => now,
  randomBytes,
  () => now,
);
const options = { accountId: null, scopes: ['score'], plan: 'RATING', expiresAt: null, allowedIps: [] } as const;
const real = await access.create({ ...options, name: 'real' });
const revoked = await access.create({ ...options, name: 'revoked' });
await access.revoke(revoked.key.id);

const KINDS = {
  'never was': () => newKeyText(randomBytes),
  'shares 20 letters': () => withChecksum(`${real.secret.slice(8, 28)}${newKeyText(randomBytes).slice(8, 14)}`),
  revoked: () => revoked.secret,
};
type Kind = keyof typeof KINDS;
const names = Object.keys(KINDS) as Kind[];
const times: Record<Kind, number[]> = { 'never was': [], 'shares 20 letters': [], revoked: [] };
for (let i = 0; i < ROUNDS * names.length; i += 1) {
  const kind = names[Math.floor(Math.random() * names.length)] ?? 'never was';
  const text = KINDS[kind]();
  // Recently looked up keys are not looked up again; and no address is blocked here.
  now += 2_000;
  const begun = performance.now();
  const outcome = await access.authenticate(text, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  times[kind].push(performance.now() - begun);
  if (outcome.ok) throw new Error(`a guess was let in: ${kind}`);
}
await database.close();

/** Without the slowest hundredth, which is noise of the machine. */
const kept = (kind: Kind) => times[kind].sort((a, b) => a - b).slice(0, Math.floor(times[kind].length * 0.99));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const base = kept('never was');
for (const kind of names) {
  const values = kept(kind);
  console.log(
    `${kind.padEnd(20)} ${values.length} guesses, mean ${(meanOf(values) * 1_000).toFixed(1)} us, t ${welch(values, base).toFixed(2)}`,
  );
}

function welch(a: readonly number[], b: readonly number[]): number {
  return (meanOf(a) - meanOf(b)) / Math.sqrt(varianceOfMean(a) + varianceOfMean(b));
}

function varianceOfMean(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) / values.length;
}

/** The end of a key's text: the checksum is no secret, a guesser computes it too. */
function withChecksum(body: string): string {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = crc32(`ak_live_${body}`);
  let check = '';
  for (let i = 0; i < 6; i += 1) {
    check = letters[rest % 62] + check;
    rest = Math.floor(rest / 62);
  }
  return `ak_live_${body}_${check}`;
}
