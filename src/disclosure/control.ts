import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { getDomain } from 'tldts';
import {
  encodeFunctionData,
  hashMessage,
  hashTypedData,
  keccak256,
  parseAbi,
  recoverMessageAddress,
  recoverTypedDataAddress,
} from 'viem/utils';
import { type Asset, consensusKey, type QuantityId, type Result, type ScoreReport } from '../domain/index.ts';

/**
 * The party in control of an asset, according to the evidence of its published rating and never to the party's own
 * statements.
 */
export interface Control {
  /** Registrable domain of the website that is tied to the asset; null without one. */
  readonly domain: string | null;
  /** Addresses that may sign, with their relation to the asset. */
  readonly signers: readonly { readonly role: string; readonly address: string }[];
}

/** Quantities whose value is an address with power over the asset. */
const ROLES: readonly (readonly [QuantityId, string])[] = [
  ['owner_address', 'owner'],
  ['mint_authority', 'mint authority'],
  ['freeze_authority', 'freeze authority'],
  ['update_authority', 'update authority'],
  ['creator_address', 'deployer'],
];

/**
 * `report`: the record of the rating; null when its evidence is no longer kept, so that no signature can be checked.
 */
export function controlOf(asset: Pick<Asset, 'website'>, report: Pick<ScoreReport, 'consensus'> | null): Control {
  const domain = asset.website === null ? null : getDomain(asset.website, { allowPrivateDomains: true });
  const signers = ROLES.flatMap(([quantity, role]) => {
    const row = report?.consensus[consensusKey(quantity)];
    // A value about which sources disagree identifies no one.
    const isAgreed = row?.status === 'agreed' || row?.status === 'single_source';
    return isAgreed && typeof row.value === 'string' && isSigner(row.value) ? [{ role, address: row.value }] : [];
  });
  return { domain, signers };
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

function isSigner(address: string): boolean {
  return EVM_ADDRESS.test(address) || solanaKey(address) !== null;
}

function solanaKey(address: string): Uint8Array | null {
  try {
    const key = base58.decode(address);
    return key.length === 32 ? key : null;
  } catch {
    return null;
  }
}

/**
 * Content of a proof. Every field is signed, so a proof is valid only for one appeal of one asset at one service, until
 * it expires.
 */
export interface Challenge {
  readonly assetId: string;
  readonly reference: string;
  /** Id of the signing key of this installation when the appeal was opened. */
  readonly installation: string;
  readonly nonce: string;
  /** RFC 3339 UTC. */
  readonly expiresAt: string;
}

/** The signed text (EIP-191 on EVM chains, its UTF-8 bytes on Solana). */
export function challengeText({ assetId, reference, installation, nonce, expiresAt }: Challenge): string {
  return [
    'Assay appeal: I control this asset.',
    `Asset: ${assetId}`,
    `Appeal: ${reference}`,
    `Installation: ${installation}`,
    `Challenge: ${nonce}`,
    `Expires: ${expiresAt}`,
  ].join('\n');
}

/** The same as typed data (EIP-712); null for an asset that is not on an EVM chain. */
export function challengeTypedData({ assetId, reference, installation, nonce, expiresAt }: Challenge) {
  const chainId = /^eip155:(\d{1,15})\//.exec(assetId)?.[1];
  if (chainId === undefined) return null;
  return {
    domain: { name: 'Assay appeal', version: '1', chainId: Number(chainId) },
    types: {
      Appeal: [
        { name: 'asset', type: 'string' },
        { name: 'appeal', type: 'string' },
        { name: 'installation', type: 'string' },
        { name: 'challenge', type: 'string' },
        { name: 'expires', type: 'string' },
      ],
    },
    primaryType: 'Appeal' as const,
    message: { asset: assetId, appeal: reference, installation, challenge: nonce, expires: expiresAt },
  };
}

export interface ProvedControl {
  readonly method: 'dns' | 'eip191' | 'eip712' | 'eip1271' | 'ed25519' | 'repository';
  readonly role: string;
  /** Domain or address; for a repository also the account and the key. */
  readonly subject: string;
}
/** The proved relation, or the reason of the failure. */
export type Proved = Result<ProvedControl, { readonly detail: string }>;

/** Checks a signature of the challenge against the addresses that control the asset. */
export async function proveBySignature(
  control: Control,
  challenge: Challenge,
  given: { readonly method: 'eip191' | 'eip712' | 'ed25519'; readonly signature: string },
): Promise<Proved> {
  if (control.signers.length === 0)
    return { ok: false, detail: 'no address that controls the asset is known from the evidence of its rating' };
  const address =
    given.method === 'ed25519'
      ? solanaSigner(control, challengeText(challenge), given.signature)
      : await evmSigner(given.method, challenge, given.signature);
  const signer = control.signers.find((one) => sameAddress(one.address, address));
  return signer === undefined
    ? { ok: false, detail: 'the signature is not of an address that controls the asset, or not of this challenge' }
    : { ok: true, value: { method: given.method, role: signer.role, subject: signer.address } };
}

/**
 * Calls a view function of a contract on a chain (CAIP-2). Returns the result in hexadecimal, or null if the call
 * failed in the contract.
 */
export type CallContract = (
  chain: string,
  to: string,
  data: string,
) => Promise<Result<string | null, { readonly detail: string }>>;

const IS_VALID = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
/** `0x1626ba7e` padded to a word, as the ABI encodes it. */
const MAGIC = `0x1626ba7e${'0'.repeat(56)}`;

/**
 * Checks a signature with a contract that controls the asset (EIP-1271), over the typed data or the plain text. A
 * contract that also accepts the signature for a hash that nobody signed would accept any signature, so it proves
 * nothing.
 */
export async function proveByContract(
  control: Control,
  challenge: Challenge,
  signature: string,
  call: CallContract,
): Promise<Proved> {
  const chain = challenge.assetId.split('/')[0] ?? '';
  const typed = challengeTypedData(challenge);
  const signers = control.signers.filter(({ address }) => EVM_ADDRESS.test(address));
  if (typed === null || signers.length === 0)
    return { ok: false, detail: 'no contract that controls the asset is known from the evidence of its rating' };
  if (!/^0x([0-9a-f]{2}){1,2500}$/i.test(signature)) return { ok: false, detail: 'the signature is not hexadecimal' };
  const hashes = [hashTypedData(typed), hashMessage(challengeText(challenge))];
  const asked = new Set<string>();
  const accepts = async (address: string, hash: `0x${string}`) => {
    const data = encodeFunctionData({
      abi: IS_VALID,
      functionName: 'isValidSignature',
      args: [hash, signature as `0x${string}`],
    });
    const reply = await call(chain, address, data);
    return reply.ok ? ({ ok: true, value: reply.value === MAGIC } as const) : reply;
  };
  for (const { address, role } of signers) {
    if (asked.has(address.toLowerCase())) continue;
    asked.add(address.toLowerCase());
    for (const hash of hashes) {
      const found = await accepts(address, hash);
      if (!found.ok) return found;
      if (!found.value) continue;
      const other = await accepts(address, keccak256(hash));
      if (!other.ok) return other;
      return other.value
        ? { ok: false, detail: 'the contract takes the signature for what it did not sign: it proves nobody’s control' }
        : { ok: true, value: { method: 'eip1271', role, subject: address } };
    }
  }
  return {
    ok: false,
    detail: 'no contract that controls the asset says that the signature of this challenge is its own',
  };
}

function sameAddress(known: string, signed: string | null): boolean {
  if (signed === null) return false;
  return EVM_ADDRESS.test(known) ? known.toLowerCase() === signed.toLowerCase() : known === signed;
}

/** Address of the key that made the signature; null if the signature is invalid. */
async function evmSigner(method: 'eip191' | 'eip712', challenge: Challenge, text: string): Promise<string | null> {
  if (!/^0x[0-9a-f]{130}$/i.test(text)) return null;
  const signature = text as `0x${string}`;
  const typed = challengeTypedData(challenge);
  try {
    if (method === 'eip191') return await recoverMessageAddress({ message: challengeText(challenge), signature });
    return typed === null ? null : await recoverTypedDataAddress({ ...typed, signature });
  } catch {
    return null;
  }
}

function solanaSigner({ signers }: Control, text: string, given: string): string | null {
  let signature: Uint8Array;
  // Base58 decoding takes quadratic time; 64 bytes have at most 88 digits.
  if (given.length > 88) return null;
  try {
    signature = base58.decode(given);
  } catch {
    return null;
  }
  if (signature.length !== 64) return null;
  const message = new TextEncoder().encode(text);
  const signed = signers.find(({ address }) => {
    const key = solanaKey(address);
    try {
      return key !== null && ed25519.verify(signature, message, key, { zip215: false });
    } catch {
      return false;
    }
  });
  return signed?.address ?? null;
}

/** Reads TXT records on which independent resolvers agree. */
export type ReadTxt = (name: string) => Promise<Result<readonly string[], { readonly detail: string }>>;

/** Name of the record that proves control of a domain. */
export const recordName = (domain: string) => `_assay-appeal.${domain}`;
/** Text of that record. */
export const recordText = ({ reference, nonce }: Pick<Challenge, 'reference' | 'nonce'>) =>
  `assay-appeal=${reference}.${nonce}`;

/**
 * Looks for the challenge in the DNS zone of the asset's domain. The party chooses neither the domain nor the name of
 * the record.
 */
export async function proveByDns({ domain }: Control, challenge: Challenge, readTxt: ReadTxt): Promise<Proved> {
  if (domain === null) return { ok: false, detail: 'no website is tied to the asset, so no domain can speak for it' };
  const read = await readTxt(recordName(domain));
  if (!read.ok) return read;
  return read.value.includes(recordText(challenge))
    ? { ok: true, value: { method: 'dns', role: 'domain', subject: domain } }
    : { ok: false, detail: `no TXT record of ${recordName(domain)} holds the challenge` };
}
