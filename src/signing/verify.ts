import { createPublicKey, verify } from 'node:crypto';
import type { PublicKey, Signature } from './signer.ts';

/** True when one of the keys made this signature over these bytes. */
export function isSignedBy(
  keys: readonly Pick<PublicKey, 'kid' | 'x'>[],
  bytes: Uint8Array,
  signature: Signature,
): boolean {
  const key = keys.find(({ kid }) => kid === signature.key_id);
  if (key === undefined || signature.algorithm !== 'Ed25519') return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
  return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), Buffer.from(signature.value, 'base64'));
}
