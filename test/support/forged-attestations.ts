import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem';
import { assetHash, type RatingClaim, sha256 } from '../../src/attestation/claim.ts';
import { attest, type EasAttestation } from '../../src/attestation/eas.ts';
import type { EasTarget } from '../../src/attestation/targets.ts';
import { signerOf } from '../../src/signing/digest-signer.ts';

export const HERE: EasTarget = {
  kind: 'eas',
  chain: 'eip155:1',
  chainId: 1,
  contract: '0xA1207F3BBa224E2c9c3c6D5aF63D0eb1582Ce587',
  version: '0.26',
};
export const ASSET = 'eip155:1/slip44:60';
export const SERVICE = signerOf(new Uint8Array(32).fill(7));
const STRANGER = signerOf(new Uint8Array(32).fill(8));
const HALF_ORDER_TWICE = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Numbers in [0, 1). */
export type Draw = () => number;

/** What a contract is called with. */
export interface Presented {
  readonly attestation: Omit<EasAttestation['sig']['message'], 'version'>;
  readonly signature: EasAttestation['sig']['signature'];
}

export interface Moment {
  /** Seconds since the epoch, by the chain's clock. */
  readonly now: number;
  /** Milliseconds since the epoch: the newest rating that the contract was shown. */
  readonly newest: number;
}

export function claimAt(asOf: number, about: Partial<RatingClaim> = {}): RatingClaim {
  return {
    asset: assetHash(ASSET, 'live'),
    band: 3,
    score: 664,
    trust: 712,
    asOf,
    expiresAt: Math.floor(asOf / 1000) + 36 * 3_600,
    record: sha256(`record of ${asOf}`),
    ...about,
  };
}

export function presented({ sig }: EasAttestation): Presented {
  const { version, ...attestation } = sig.message;
  if (version !== 2) throw new Error('expected version 2');
  return { attestation, signature: sig.signature };
}

const good = (now: number, about: Partial<RatingClaim> = {}, target = HERE): Presented =>
  presented(attest(claimAt(now * 1000 - 60_000, about), target, SERVICE));

/** Ways in which a record must not be accepted, each made anew from random numbers. */
export const FORGERIES: Readonly<Record<string, (draw: Draw, moment: Moment) => Presented>> = {
  'signed by somebody else': (draw, { now }) =>
    presented(attest(claimAt(now * 1000 - Math.floor(draw() * 1e6)), HERE, STRANGER)),
  'a bit of the data changed': (draw, { now }) => alteredData(good(now), draw),
  'a better band written in': (_draw, { now }) => {
    const record = good(now, { band: 7 });
    const data = record.attestation.data.slice(0, 2 + 64) + '3'.padStart(64, '0') + record.attestation.data.slice(130);
    return { ...record, attestation: { ...record.attestation, data: data as Hex } };
  },
  'a later end': (draw, { now }) => {
    const record = good(now);
    const end = String(BigInt(record.attestation.expirationTime) + BigInt(1 + Math.floor(draw() * 1e6)));
    return { ...record, attestation: { ...record.attestation, expirationTime: end } };
  },
  'a changed signature': (draw, { now }) => {
    const record = good(now);
    const bytes = hexToBytes(draw() < 0.5 ? record.signature.r : record.signature.s);
    flip(bytes, draw);
    return { ...record, signature: { ...record.signature, r: bytesToHex(bytes) } };
  },
  'the other of the two signatures': (_draw, { now }) => {
    const record = good(now);
    const s = `0x${(HALF_ORDER_TWICE - BigInt(record.signature.s)).toString(16).padStart(64, '0')}` as Hex;
    return { ...record, signature: { ...record.signature, s, v: record.signature.v === 27 ? 28 : 27 } };
  },
  expired: (draw, { now }) => {
    const asOf = (now - 36 * 3_600 - Math.floor(draw() * 1e6)) * 1000;
    return presented(attest(claimAt(asOf), HERE, SERVICE));
  },
  'from the future': (draw, { now }) => good(now + 120 + Math.floor(draw() * 1e6)),
  'for another chain': (draw, { now }) => {
    const chainId = 2 + Math.floor(draw() * 1e6);
    return good(now, {}, { ...HERE, chainId, chain: `eip155:${chainId}` });
  },
  'for another contract': (draw, { now }) => good(now, {}, { ...HERE, contract: randomAddress(draw) }),
  'for another version of the contract': (_draw, { now }) => good(now, {}, { ...HERE, version: '1.4.0' }),
  'of another asset': (draw, { now }) => good(now, { asset: sha256(`asset ${draw()}`) }),
  'of another schema': (draw, { now }) => {
    const record = good(now);
    return { ...record, attestation: { ...record.attestation, schema: bytesToHex(sha256(`schema ${draw()}`)) } };
  },
  'for one recipient': (draw, { now }) => {
    const record = good(now);
    return { ...record, attestation: { ...record.attestation, recipient: randomAddress(draw) } };
  },
  'older than one that was shown': (draw, { now, newest }) => {
    const asOf = newest - 1 - Math.floor(draw() * 1e6);
    if (asOf < (now - 35 * 3_600) * 1000) throw new Error('it would be expired too');
    return presented(attest(claimAt(asOf), HERE, SERVICE));
  },
  'of a worse band': (draw, { now }) => good(now, { band: 4 + Math.floor(draw() * 6) }),
  'of less trust': (draw, { now }) => good(now, { trust: Math.floor(draw() * 500) }),
};

function alteredData(record: Presented, draw: Draw): Presented {
  const bytes = hexToBytes(record.attestation.data);
  flip(bytes, draw);
  return { ...record, attestation: { ...record.attestation, data: bytesToHex(bytes) } };
}

function flip(bytes: Uint8Array, draw: Draw): void {
  const at = Math.floor(draw() * bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(draw() * 8));
}

function randomAddress(draw: Draw): Address {
  return bytesToHex(sha256(`address ${draw()}`).subarray(0, 20));
}
