import { DAY_MS } from '../../src/domain/statistics.ts';
import { iso } from '../facade.ts';
import { type SandboxKey, sandboxKey } from '../openpgp.ts';
import type { Scene } from '../scene.ts';
import { membersOf } from './ties.ts';
import type { SandboxAsset } from './types.ts';

/** People who sign commits with OpenPGP keys, and those commits: older than the period of the activity measurements. */

const DAYS = { newest: 100, oldest: 300, every: 20 };
const KEY_MADE = Date.UTC(2024, 0, 1);

/** `maintainer`: a public member of the organisation; `leaver`: one whose key is revoked; `friend`: an outsider whose signed commits were merged. */
export function signersOf(asset: SandboxAsset) {
  const [maintainer = null, leaver = null] = membersOf(asset);
  return { maintainer, leaver, friend: `${asset.slug}-friend` };
}

/** The OpenPGP key of a person of the world. */
export function keyOfPerson(login: string): SandboxKey {
  return sandboxKey(login, KEY_MADE);
}

/** Keys of an account as GitHub lists them. It learns of a revocation only when the key is uploaded again. */
export function keysOfSigner(scene: Scene, login: string) {
  const asset = scene.world.assets.find((row) => row.repo !== null && isSigner(row, login));
  if (asset === undefined) return [];
  const key = keyOfPerson(login);
  const isRevoked = login === signersOf(asset).leaver;
  return [
    {
      id: asset.rank,
      primary_key_id: null,
      key_id: key.fingerprint.slice(-16).toUpperCase(),
      raw_key: key.armored(isRevoked ? scene.world.anchor - 40 * DAY_MS : undefined),
      public_key: key.body.toString('base64'),
      emails: [{ email: `${login}@people.example`, verified: true }],
      subkeys: [],
      can_sign: true,
      can_encrypt_comms: false,
      can_encrypt_storage: false,
      can_certify: true,
      created_at: iso(KEY_MADE + DAY_MS),
      expires_at: null,
      revoked: false,
    },
  ];
}

/** Commits of one committer (`committer`, `since` and `until` of the query), newest first. */
export function signedCommitsOf(scene: Scene, asset: SandboxAsset, query: URLSearchParams) {
  const login = query.get('committer') ?? '';
  const [since, until] = ['since', 'until'].map((name) => Date.parse(query.get(name) ?? ''));
  if (!isSigner(asset, login)) return [];
  const key = keyOfPerson(login);
  const last = Math.min(DAYS.oldest, asset.ageDays);
  return Array.from({ length: Math.max(0, Math.ceil((last - DAYS.newest) / DAYS.every)) }, (_, index) => index)
    .map((index) => ({ index, at: scene.world.anchor - (DAYS.newest + index * DAYS.every) * DAY_MS }))
    .filter(({ at }) => !(at < (since ?? Number.NaN)) && !(at > (until ?? Number.NaN)))
    .map(({ index, at }) => {
      const person = `${login} <${login}@people.example> ${Math.floor(at / 1_000)} +0000`;
      const message = `Signed change ${index}`;
      const payload = `tree ${index.toString(16).padStart(40, 'b')}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`;
      const who = { name: login, email: `${login}@people.example`, date: iso(at) };
      const account = { login, id: index + 1, type: 'User' };
      return {
        sha: index.toString(16).padStart(40, 'c'),
        commit: {
          author: who,
          committer: who,
          message,
          verification: {
            verified: true,
            reason: 'valid',
            signature: key.signed(payload, at),
            payload,
            verified_at: iso(at),
          },
        },
        author: account,
        committer: account,
        parents: [],
      };
    });
}

function isSigner(asset: SandboxAsset, login: string): boolean {
  return Object.values(signersOf(asset)).includes(login);
}
