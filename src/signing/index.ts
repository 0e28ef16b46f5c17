/** Signatures under published documents. */
export { createSigner, type PublicKey, type Signature, type Signer } from './signer.ts';
export { isSignedBy } from './verify.ts';
