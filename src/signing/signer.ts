import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto';
import type { Database } from '../store/index.ts';
import { offerSigningKey, replaceSigningKey, type SigningKeyRow, signingKeys } from '../store/index.ts';

export interface Signature {
  readonly algorithm: 'Ed25519';
  readonly key_id: string;
  /** Base64 of the 64 bytes. */
  readonly value: string;
}

/** A public key as in `/.well-known/assay-keys.json` (RFC 8037). */
export interface PublicKey {
  readonly kid: string;
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** Base64url of the 32 bytes. */
  readonly x: string;
  readonly use: 'sig';
  readonly created_at: string;
  /** Time of retirement, after which it signs nothing; earlier signatures remain valid. */
  readonly retired_at: string | null;
}

export interface Signer {
  /** Signs bytes with the active key; objects are signed as canonical JSON (RFC 8785). */
  sign(bytes: Uint8Array): Signature;
  /** All keys that ever signed, newest first. */
  keys(): Promise<readonly PublicKey[]>;
  /** Activates a new key; the old one stays published. Other processes load it at their next start or `refresh`. */
  rotate(): Promise<PublicKey>;
  /** Loads a key that another process has activated. */
  refresh(): Promise<void>;
}

const RAW_KEY_BYTES = 32;

/** Opens the installation's signing keys; the first start creates one. `now`: milliseconds since the epoch. */
export async function createSigner(db: Database, now: () => number): Promise<Signer> {
  let active = await activeKey(db);
  if (active === null) {
    await offerSigningKey(db, newKey(now()));
    active = await activeKey(db);
  }
  if (active === null) throw new Error('no signing key could be stored');
  let current = active;
  // Cached, because parsing a key takes as long as signing with it.
  let read = { of: current, key: privateKeyOf(current) };
  const privateKey = () => {
    if (read.of !== current) read = { of: current, key: privateKeyOf(current) };
    return read.key;
  };
  return {
    sign: (bytes) => ({
      algorithm: 'Ed25519',
      key_id: current.id,
      value: signBytes(null, bytes, privateKey()).toString('base64'),
    }),
    keys: async () => (await signingKeys(db)).map(publicKey),
    async rotate() {
      const key = newKey(now());
      await replaceSigningKey(db, key, key.created_at);
      current = key;
      return publicKey(key);
    },
    async refresh() {
      current = (await activeKey(db)) ?? current;
    },
  };
}

function privateKeyOf(row: SigningKeyRow): KeyObject {
  return createPrivateKey({ key: row.private_key, format: 'der', type: 'pkcs8' });
}

async function activeKey(db: Database): Promise<SigningKeyRow | null> {
  return (await signingKeys(db)).find((key) => key.retired_at === null) ?? null;
}

function newKey(now: number): SigningKeyRow {
  const pair = generateKeyPairSync('ed25519');
  // SPKI of Ed25519 ends with the raw key (RFC 8410).
  const raw = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_KEY_BYTES);
  return {
    id: createHash('sha256').update(raw).digest('hex').slice(0, 16),
    public_key: Buffer.from(raw),
    private_key: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
    created_at: new Date(now).toISOString(),
    retired_at: null,
  };
}

function publicKey(key: SigningKeyRow): PublicKey {
  return {
    kid: key.id,
    kty: 'OKP',
    crv: 'Ed25519',
    x: key.public_key.toString('base64url'),
    use: 'sig',
    created_at: key.created_at,
    retired_at: key.retired_at,
  };
}
