/** Published ratings as signed records that contracts check: EAS off-chain attestations and Ed25519 messages. */
export { type Attestations, CHAINS_ATTESTED, openAttestations, type SolanaAttestation } from './attestations.ts';
export { SCHEMA } from './eas.ts';
export { type Expected, type Judged, judgeEas, judgeSolana } from './judge.ts';
