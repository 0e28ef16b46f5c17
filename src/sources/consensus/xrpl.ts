import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { fromBase64 } from '../../chains/index.ts';
import { text } from '../read.ts';
import { get } from '../requests.ts';
import type { Endpoint, ReplyMeta } from '../source.ts';
import { operatorsEndpoint } from './endpoints.ts';
import { operator } from './operators.ts';

/** Ripple’s publisher key. The list of the XRPL Foundation names the same validators and is not read. */
const PUBLISHER = 'ED2677ABFFD1B33AC6FBC3062B71F1E8397C1505E1C42C64D11AD1B28FF73F4734';
/** Ledger times are seconds since 2000-01-01. */
const EPOCH_SECONDS = 946_684_800;

const Signed = { blob: Type.String(), signature: Type.String() };
const List = Type.Object({
  public_key: Type.String(),
  manifest: Type.String(),
  version: Type.Union([Type.Number(), Type.String()]),
  blob: Type.Optional(Signed.blob),
  signature: Type.Optional(Signed.signature),
  blobs_v2: Type.Optional(
    Type.Array(Type.Object({ ...Signed, manifest: Type.Optional(Type.String()) }), { maxItems: 20 }),
  ),
});
const Blob = Type.Object({
  sequence: Type.Number(),
  expiration: Type.Number(),
  effective: Type.Optional(Type.Number()),
  validators: Type.Array(Type.Object({ validation_public_key: Type.String(), manifest: Type.String() }), {
    maxItems: 1_000,
  }),
});

interface Manifest {
  readonly master: Uint8Array;
  readonly signing: Uint8Array | null;
  readonly domain: string | null;
}

/** Names of the fields of a manifest by their codes (xrpl.org, binary format). */
const FIELDS: Readonly<Record<string, string>> = {
  '7/1': 'master',
  '7/3': 'signing',
  '7/6': 'signature',
  '7/7': 'domain',
  '7/18': 'masterSignature',
};
/** `MAN` and a zero precede the signed bytes. */
const PREFIX = Uint8Array.of(0x4d, 0x41, 0x4e, 0);

/** A manifest, which names the signing key of a master key; null if a signature is invalid. */
export function readManifest(base64: string): Manifest | null {
  const bytes = fromBase64(base64);
  if (bytes === null || bytes.length > 1_000) return null;
  const fields = new Map<string, Uint8Array>();
  const signed: Uint8Array[] = [PREFIX];
  for (let at = 0; at < bytes.length; ) {
    const from = at;
    const head = bytes[at++] ?? 0;
    const type = head >> 4 || bytes[at++];
    const code = head & 15 || bytes[at++];
    const length = type === 1 ? 2 : type === 2 ? 4 : type === 7 ? (bytes[at++] ?? 255) : 255;
    // One byte encodes lengths up to 192; no field of a manifest is longer.
    if (length > 192 || at + length > bytes.length) return null;
    const name = FIELDS[`${type}/${code}`];
    if (name !== undefined) fields.set(name, bytes.subarray(at, at + length));
    at += length;
    if (name !== 'signature' && name !== 'masterSignature') signed.push(bytes.subarray(from, at));
  }
  const [master, signing] = [fields.get('master'), fields.get('signing') ?? null];
  const message = Buffer.concat(signed);
  if (master === undefined || !isSigned(fields.get('masterSignature'), message, master)) return null;
  // A manifest without a signing key revokes the master key.
  if (signing !== null && !isSigned(fields.get('signature'), message, signing)) return null;
  const domain = fields.get('domain');
  return {
    master,
    signing,
    domain: domain === undefined ? null : text(new TextDecoder().decode(domain), 120),
  };
}

function isSigned(signature: Uint8Array | undefined, message: Uint8Array, key: Uint8Array): boolean {
  if (signature === undefined) return false;
  try {
    if (key[0] === 0xed) return ed25519.verify(signature, message, key.subarray(1));
    const half = createHash('sha512').update(message).digest().subarray(0, 32);
    return secp256k1.verify(signature, half, key, { prehash: false, format: 'der', lowS: false });
  } catch {
    return false;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

/** The list that is valid at the time of the reply, or the reason why there is none. */
function listInForce(reply: Static<typeof List>, publisher: string, meta: ReplyMeta): Static<typeof Blob> | string {
  if (reply.public_key !== publisher) return 'the list is from another publisher';
  const blobs =
    reply.blobs_v2 ??
    (reply.blob === undefined || reply.signature === undefined
      ? []
      : [{ blob: reply.blob, signature: reply.signature }]);
  const now = Date.parse(meta.fetchedAt) / 1000 - EPOCH_SECONDS;
  let why = 'the reply has no list';
  for (const row of blobs) {
    const manifest = readManifest(('manifest' in row ? row.manifest : undefined) ?? reply.manifest);
    if (manifest === null || manifest.signing === null || hex(manifest.master) !== publisher) {
      why = 'the manifest is not the publisher’s';
      continue;
    }
    const bytes = fromBase64(row.blob);
    if (bytes === null || !isSigned(Buffer.from(row.signature, 'hex'), bytes, manifest.signing)) {
      why = 'the list is not signed by its publisher';
      continue;
    }
    const list: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!Value.Check(Blob, list)) why = 'the signed list has another form';
    else if (list.expiration <= now) why = `the list has expired (sequence ${list.sequence})`;
    else if ((list.effective ?? 0) > now) why = 'the list is not in force yet';
    else return list;
  }
  return why;
}

export const xrplSet: readonly Endpoint[] = operatorsEndpoint({
  chain: 'xrpl',
  doc: 'vl.ripple.com: the published list of validators, each with one vote; manifests and signature are verified. Validators of one domain are one operator. Checked against recordings of 2017 to 2026',
  request: get('/', undefined, { base: 'xrpl' }),
  reply: List,
  read: (reply, params, meta) => {
    const list = listInForce(reply, typeof params.publisher === 'string' ? params.publisher : PUBLISHER, meta);
    if (typeof list === 'string') return list;
    const rows = list.validators.map((row) => ({
      key: row.validation_public_key,
      manifest: readManifest(row.manifest),
    }));
    if (rows.some(({ key, manifest }) => manifest === null || hex(manifest.master) !== key.toUpperCase()))
      return 'the manifest of a validator is not its own';
    return {
      window: `list ${list.sequence}`,
      unit: 'entries',
      operators: rows.map(({ key, manifest }) => operator(manifest?.domain?.toLowerCase() ?? key, 1)),
    };
  },
});
