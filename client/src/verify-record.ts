import { bytesOfBase64 } from './base64.ts';
import { canonicalJson } from './canonical-json.ts';

/** A public key as listed by `/.well-known/assay-keys.json`. */
export interface VerifyingKey {
  readonly kid: string;
  readonly crv: string;
  /** Base64url of the 32 bytes. */
  readonly x: string;
  /** Time from which the key signs nothing more. */
  readonly retired_at?: string | null;
}

export type Verified =
  | { readonly valid: true; readonly keyId: string }
  | {
      readonly valid: false;
      readonly reason:
        | 'no_signature'
        | 'unknown_key'
        | 'malformed_signature'
        | 'key_retired_before'
        | 'wrong_signature';
    };

/** Members that depend on the time of the reply, and so are not signed. */
export const UNSIGNED = ['signature', 'standing', 'correction', 'age_seconds'];

/**
 * Checks that a rating, or another signed object of the service, was signed by one of `keys`: Ed25519 over the canonical JSON.
 * Store the keys that you trust: keys delivered with the record prove nothing. Rejects where WebCrypto has no Ed25519.
 */
export async function verifyRecord(record: object, keys: readonly VerifyingKey[]): Promise<Verified> {
  const members = Object.entries(record);
  const signature: unknown = members.find(([name]) => name === 'signature')?.[1];
  if (!isSignature(signature)) return { valid: false, reason: 'no_signature' };
  const key = keys.find((one) => one.kid === signature.key_id && one.crv === 'Ed25519');
  if (!key) return { valid: false, reason: 'unknown_key' };
  const value = bytesOfBase64(signature.value);
  const point = bytesOfBase64(key.x);
  if (value?.length !== 64 || point?.length !== 32) return { valid: false, reason: 'malformed_signature' };
  const signed = canonicalJson(Object.fromEntries(members.filter(([name]) => !UNSIGNED.includes(name))));
  const imported = await crypto.subtle.importKey('raw', point, { name: 'Ed25519' }, false, ['verify']);
  const right = await crypto.subtle.verify({ name: 'Ed25519' }, imported, value, new TextEncoder().encode(signed));
  if (!right) return { valid: false, reason: 'wrong_signature' };
  const asOf = Date.parse(String(members.find(([name]) => name === 'as_of')?.[1]));
  if (key.retired_at && asOf > Date.parse(key.retired_at)) return { valid: false, reason: 'key_retired_before' };
  return { valid: true, keyId: key.kid };
}

function isSignature(value: unknown): value is { readonly key_id: string; readonly value: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key_id' in value &&
    typeof value.key_id === 'string' &&
    'value' in value &&
    typeof value.value === 'string'
  );
}
