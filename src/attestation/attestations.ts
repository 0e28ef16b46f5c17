import type { AttestationSigner, PublicKey, Signature, Signer } from '../signing/index.ts';
import { type Database, type ReplacedRatings, replacedRatings } from '../store/index.ts';
import { assetHash, claimOf, type Mode, type PublishedFacts, type RatingClaim } from './claim.ts';
import { attest, type EasAttestation, type EasRevocation, revoke } from './eas.ts';
import { solanaMessage, solanaRevocation } from './solana-message.ts';
import { type EasTarget, type SolanaTarget, TARGETS, targetOf } from './targets.ts';

export interface AttestationOptions {
  readonly db: Database;
  /** For Solana. */
  readonly signer: Pick<Signer, 'sign' | 'keys'>;
  /** For EVM chains. */
  readonly attester: Pick<AttestationSigner, 'current' | 'keys'>;
  /** Records of a sandbox match no real asset. */
  readonly mode: Mode;
  /** Hours from `as_of` to the end of a record. */
  readonly validHours: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** An Ed25519 signature that a Solana program checks by the precompile. */
export interface SolanaAttestation {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly keyId: string;
  readonly publicKey: Uint8Array;
}

export type Attested =
  | { readonly kind: 'eas'; readonly claim: RatingClaim; readonly attestation: EasAttestation }
  | { readonly kind: 'solana'; readonly claim: RatingClaim; readonly attestation: SolanaAttestation }
  | { readonly kind: 'refused'; readonly reason: 'not_rated' | 'expired' | 'revoked' | 'corrected' };

/** Every record of the asset dated before `notBefore` (milliseconds) is void. */
export interface Revocation {
  readonly assetId: string;
  readonly asset: Uint8Array;
  readonly notBefore: number;
  readonly reason: 'replaced' | 'withdrawn' | 'defaulted' | 'corrected';
  readonly revokedAt: string;
  /** For an EVM chain; null for another. */
  readonly eas: EasRevocation | null;
  /** For a cluster of Solana; null for another chain. */
  readonly solana: SolanaAttestation | null;
}

export interface Attestations {
  /** Signs the claim of a published rating for one chain; refuses records that the list of revocations would void. */
  attest(rating: PublishedFacts, chain: string): Promise<Attested>;
  /** Assets after an id with replaced or corrected records that have not yet expired, by id. */
  revocations(chain: string, page: { readonly after: string; readonly limit: number }): Promise<readonly Revocation[]>;
  /** Signs a page of the list, as canonical JSON. */
  sign(list: Uint8Array): Signature;
}

export const CHAINS_ATTESTED: readonly string[] = TARGETS.map(({ chain }) => chain);

/** Published ratings as records that contracts check without a request to this service. */
export function openAttestations({ db, signer, attester, mode, validHours, now }: AttestationOptions): Attestations {
  // Records signed before the validity was reduced live longer, but at most `LONGEST_HOURS`.
  const since = () => new Date(now() - LONGEST_HOURS * 3_600_000).toISOString();
  return {
    sign: signer.sign,
    async attest(rating, chain) {
      const target = knownTarget(chain);
      const claim = claimOf(rating, validHours, mode);
      if (claim === null) return { kind: 'refused', reason: 'not_rated' };
      if (claim.expiresAt * 1000 <= now()) return { kind: 'refused', reason: 'expired' };
      const query = { since: since(), after: '', limit: 1, assetId: rating.assetId };
      const [replaced] = await replacedRatings(db, query);
      if (replaced !== undefined && claim.asOf < replaced.notBefore)
        return { kind: 'refused', reason: replaced.isCorrected ? 'corrected' : 'revoked' };
      return target.kind === 'eas'
        ? { kind: 'eas', claim, attestation: attest(claim, target, attester.current()) }
        : { kind: 'solana', claim, attestation: await signFor(target, claim, signer) };
    },
    async revocations(chain, page) {
      const target = knownTarget(chain);
      const rows = await replacedRatings(db, { ...page, since: since() });
      const keys = target.kind === 'solana' ? await signer.keys() : [];
      return rows.map((row) => {
        const asset = assetHash(row.assetId, mode);
        return {
          assetId: row.assetId,
          asset,
          notBefore: row.notBefore,
          reason: reasonOf(row),
          revokedAt: row.storedAt,
          eas: target.kind === 'eas' ? revoke(asset, row.notBefore, target, attester.current()) : null,
          solana:
            target.kind === 'solana' ? signedBytes(solanaRevocation(asset, row.notBefore, target), signer, keys) : null,
        } as const;
      });
    },
  };
}

function reasonOf({ band, action, isCorrected }: ReplacedRatings): Revocation['reason'] {
  if (isCorrected) return 'corrected';
  if (band === 'D') return 'defaulted';
  return action === 'withdraw' || band === 'NR' ? 'withdrawn' : 'replaced';
}

/** Longest validity of a record, hours. */
export const LONGEST_HOURS = 168;

function knownTarget(chain: string): EasTarget | SolanaTarget {
  const target = targetOf(chain);
  if (target === null) throw new Error(`no records are signed for ${chain}`);
  return target;
}

async function signFor(
  target: SolanaTarget,
  claim: RatingClaim,
  signer: Pick<Signer, 'sign' | 'keys'>,
): Promise<SolanaAttestation> {
  return signedBytes(solanaMessage(claim, target), signer, await signer.keys());
}

function signedBytes(
  message: Uint8Array,
  { sign }: Pick<Signer, 'sign'>,
  keys: readonly PublicKey[],
): SolanaAttestation {
  const { key_id: keyId, value } = sign(message);
  const key = keys.find(({ kid }) => kid === keyId);
  if (key === undefined) throw new Error(`the signing key ${keyId} is not published`);
  return {
    message,
    signature: Buffer.from(value, 'base64'),
    keyId,
    publicKey: Buffer.from(key.x, 'base64url'),
  };
}
