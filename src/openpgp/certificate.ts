import type { Result } from '../domain/index.ts';
import { isSignedBy, type Key, keyOf } from './key.ts';
import { packetsOf, unarmored } from './packets.ts';
import { type Signature, signatureOf } from './signature.ts';

/** A public key with its names, its subkeys and their signatures, none of which has been checked yet. */
export interface Certificate {
  readonly primary: Key;
  readonly direct: readonly Signature[];
  /** `hashed`: the bytes that signatures of the name hash. */
  readonly names: readonly { readonly hashed: Uint8Array; readonly signatures: readonly Signature[] }[];
  readonly subkeys: readonly { readonly key: Key; readonly signatures: readonly Signature[] }[];
}

/** Size limit of a key, bytes. Keys of people may contain photographs and many signatures of others. */
const MOST_KEY_BYTES = 150_000;
const TAG = { signature: 2, primary: 6, name: 13, subkey: 14, attribute: 17 } as const;
const KIND = { bindsSubkey: 0x18, bySubkey: 0x19, ofKey: 0x1f } as const;
const REVOKES = { key: 0x20, subkey: 0x28, name: 0x30 } as const;
const MAY_SIGN = 0x02;
/** Most signatures by the owner that are checked; those by others are skipped. */
const MOST_CHECKS = 120;

/** The first key of an armoured block; null if it cannot be read. */
export function readCertificate(armored: string): Certificate | null {
  const bytes = unarmored(armored, 'PUBLIC KEY BLOCK', MOST_KEY_BYTES);
  const [head, ...rest] = (bytes && packetsOf(bytes)) ?? [];
  const primary = head?.tag === TAG.primary ? keyOf(head.body) : null;
  if (primary === null) return null;
  const direct: Signature[] = [];
  const names: { hashed: Uint8Array; signatures: Signature[] }[] = [];
  const subkeys: { key: Key; signatures: Signature[] }[] = [];
  let signatures: Signature[] = direct;
  for (const packet of rest) {
    if (packet.tag === TAG.primary) break;
    if (packet.tag === TAG.signature) {
      const signature = signatureOf(packet);
      // Programs that join keys may put a revocation of the key behind a name or a subkey.
      if (signature !== null) (signature.type === REVOKES.key ? direct : signatures).push(signature);
      // An unreadable revocation still counts as one.
      else if (isRevocation(packet.body)) return null;
    } else if (packet.tag === TAG.name || packet.tag === TAG.attribute) {
      signatures = [];
      names.push({ hashed: nameHashed(packet.tag, packet.body), signatures });
    } else if (packet.tag === TAG.subkey) {
      signatures = [];
      const key = keyOf(packet.body);
      if (key !== null) subkeys.push({ key, signatures });
    }
  }
  return { primary, direct, names, subkeys };
}

function isRevocation(body: Uint8Array): boolean {
  const type = body[0] === 3 ? body[2] : body[1];
  return type === REVOKES.key || type === REVOKES.subkey || type === REVOKES.name;
}

function nameHashed(tag: number, body: Uint8Array): Uint8Array {
  const head = Buffer.from([tag === TAG.name ? 0xb4 : 0xd1, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}

/** Keys of the certificate that may sign, or why there is none. */
export type SigningKeys = Result<readonly Key[], { readonly detail: string }>;

/**
 * Keys that may sign at a time (seconds since 1970). Any revocation counts, whoever made it and whatever its reason: if
 * it cannot be checked (by a revoker that the owner designated), it counts against the key. `expired`: whether expired
 * keys still count, for past signatures.
 */
export function signingKeys(
  certificate: Certificate,
  at: number,
  { expired }: { readonly expired: 'refused' | 'taken' },
): SigningKeys {
  const { primary, direct, names, subkeys } = certificate;
  let checks = 0;
  const isMade = (by: Key, signature: Signature, ...data: readonly Uint8Array[]) => {
    if (signature.issuer !== null && !by.fingerprint.endsWith(signature.issuer)) return false;
    checks += 1;
    return checks <= MOST_CHECKS && isInForce(signature, at) && isSignedBy(by, signature, Buffer.concat(data));
  };
  const isOver = (key: Key, span: number) => expired === 'refused' && span !== 0 && key.createdAt + span <= at;

  if (direct.some(({ type }) => type === REVOKES.key)) return refused('the key was revoked');
  const own = [
    ...direct.filter((one) => one.type === KIND.ofKey && isMade(primary, one, primary.hashed)),
    ...names
      .filter(({ signatures }) => !signatures.some(({ type }) => type === REVOKES.name))
      .flatMap(({ hashed, signatures }) =>
        signatures.filter((one) => isOfName(one) && isMade(primary, one, primary.hashed, hashed)),
      ),
  ].sort(newestFirst);
  const [newest] = own;
  if (newest === undefined) return refused('the key says nothing of itself that holds (SHA-1 is not taken)');
  if (isOver(primary, newest.keyExpiresAfter)) return refused('the key is expired');
  const flags = own.find((one) => one.flags !== null)?.flags ?? MAY_SIGN;

  const bound = subkeys.flatMap(({ key, signatures }) => {
    if (signatures.some(({ type }) => type === REVOKES.subkey)) return [];
    const [binding] = signatures
      .filter((one) => one.type === KIND.bindsSubkey && isMade(primary, one, primary.hashed, key.hashed))
      .sort(newestFirst);
    if (binding === undefined || ((binding.flags ?? 0) & MAY_SIGN) === 0) return [];
    // Without a signature by the subkey, anyone could add another person's subkey.
    const back = binding.embedded && signatureOf({ tag: TAG.signature, body: binding.embedded });
    const isBack = back?.type === KIND.bySubkey && isMade(key, back, primary.hashed, key.hashed);
    return isBack && !isOver(key, binding.keyExpiresAfter) ? [key] : [];
  });
  const usable = (flags & MAY_SIGN) === 0 ? bound : [primary, ...bound];
  if (checks > MOST_CHECKS) return refused('the key has more signatures than are checked');
  return usable.length === 0 ? refused('no part of the key may sign') : { ok: true, value: usable };
}

/** True if the signature was made by this time and has not expired. */
function isInForce({ createdAt, expiresAfter }: Signature, at: number): boolean {
  return createdAt <= at && (expiresAfter === 0 || createdAt + expiresAfter > at);
}

const isOfName = ({ type }: Signature) => type >= 0x10 && type <= 0x13;
/** Within the same second, the signature with the earlier expiry comes first. */
const newestFirst = (a: Signature, b: Signature) =>
  b.createdAt - a.createdAt || (a.keyExpiresAfter || Infinity) - (b.keyExpiresAfter || Infinity);
const refused = (detail: string) => ({ ok: false, detail }) as const;
