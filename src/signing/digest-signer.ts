import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { Database } from '../store/index.ts';
import { offerSigningKey, replaceSigningKey, type SigningKeyRow, signingKeys } from '../store/index.ts';

/** A public key whose signatures EVM contracts check, as `/.well-known/assay-keys.json` shows it (RFC 8812). */
export interface AttestationKey {
  readonly kid: string;
  readonly kty: 'EC';
  readonly crv: 'secp256k1';
  /** Base64url of the coordinates, 32 bytes each. */
  readonly x: string;
  readonly y: string;
  readonly use: 'sig';
  /** Checksummed address that contracts know the key by. */
  readonly address: Address;
  readonly created_at: string;
  readonly retired_at: string | null;
}

/** Signs 32 bytes; EVM contracts can recover the signer's address from the signature. */
export interface DigestSigner {
  readonly address: Address;
  sign(digest: Hex): { readonly r: Hex; readonly s: Hex; readonly v: 27 | 28 };
}

export interface AttestationSigner {
  /** The active key. */
  current(): DigestSigner;
  /** All keys that ever signed, newest first. */
  keys(): Promise<readonly AttestationKey[]>;
  /** Activates a new key. Contracts accept its signatures once their owners add its address. */
  rotate(): Promise<AttestationKey>;
  /** Loads a key that another process has activated. */
  refresh(): Promise<void>;
}

const TABLE = 'attestation_keys';

/** Opens the installation's secp256k1 keys; the first start creates one. `now`: milliseconds since the epoch. */
export async function createAttestationSigner(db: Database, now: () => number): Promise<AttestationSigner> {
  const active = async () => (await signingKeys(db, TABLE)).find((key) => key.retired_at === null) ?? null;
  if ((await active()) === null) await offerSigningKey(db, newKey(now()), TABLE);
  const found = await active();
  if (found === null) throw new Error('no attestation key could be stored');
  let current = found;
  return {
    current: () => signerOf(current.private_key),
    keys: async () => (await signingKeys(db, TABLE)).map(publicKey),
    async rotate() {
      const key = newKey(now());
      await replaceSigningKey(db, key, key.created_at, TABLE);
      current = key;
      return publicKey(key);
    },
    async refresh() {
      current = (await active()) ?? current;
    },
  };
}

/** Creates a signer from a private key of 32 bytes; nonces follow RFC 6979, and `s` is the lower value. */
export function signerOf(privateKey: Uint8Array): DigestSigner {
  return {
    address: addressOf(secp256k1.getPublicKey(privateKey, false)),
    sign(digest) {
      const bytes = secp256k1.sign(hexToBytes(digest), privateKey, { prehash: false, format: 'recovered' });
      return {
        r: bytesToHex(bytes.subarray(1, 33)),
        s: bytesToHex(bytes.subarray(33, 65)),
        v: bytes[0] === 0 ? 27 : 28,
      };
    },
  };
}

const addressOf = (publicKey: Uint8Array): Address => publicKeyToAddress(bytesToHex(publicKey));

function newKey(now: number): SigningKeyRow {
  const privateKey = secp256k1.utils.randomSecretKey();
  const publicKey = secp256k1.getPublicKey(privateKey, false);
  return {
    id: createHash('sha256').update(publicKey).digest('hex').slice(0, 16),
    public_key: Buffer.from(publicKey),
    private_key: Buffer.from(privateKey),
    created_at: new Date(now).toISOString(),
    retired_at: null,
  };
}

function publicKey(key: SigningKeyRow): AttestationKey {
  return {
    kid: key.id,
    kty: 'EC',
    crv: 'secp256k1',
    x: key.public_key.subarray(1, 33).toString('base64url'),
    y: key.public_key.subarray(33, 65).toString('base64url'),
    use: 'sig',
    address: addressOf(key.public_key),
    created_at: key.created_at,
    retired_at: key.retired_at,
  };
}
