/** Signatures under published documents. */
export { createSigner, type PublicKey, type Signature, type Signer } from './signer.ts';
