/** Reads OpenPGP keys and signatures and checks them (RFC 9580, version 4). Pure. */

export { type Certificate, readCertificate, signingKeys } from './certificate.ts';
export { readSignature, signerOf, signerOfText } from './signed-text.ts';
