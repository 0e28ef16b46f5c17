/** Signatures of published documents. */
export {
  type AttestationKey,
  type AttestationSigner,
  createAttestationSigner,
  type DigestSigner,
} from './digest-signer.ts';
export { createSigner, type PublicKey, type Signature, type Signer } from './signer.ts';
export { isSignedBy } from './verify.ts';
