import { bytesOfBase64 } from './base64.ts';
import { canonicalJson } from './canonical-json.ts';

/** A public key as `/.well-known/assay-keys.json` shows it. */
export interface VerifyingKey {
  readonly kid: string;
  readonly crv: string;
  /** Base64url of the 32 bytes. */
  readonly x: string;
  /** Nothing is signed with it from then on. */
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

/** Said of a rating at the time of the reply, and so not part of what was signed. */
export const UNSIGNED = ['signature', 'standing', 'age_seconds'];

/**
 * Whether a rating, or another signed object of the service, is what one of `keys` signed: Ed25519 over the canonical JSON.
 * Keep the keys you trust: keys that come with the record prove nothing. Rejects where WebCrypto has no Ed25519.
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
