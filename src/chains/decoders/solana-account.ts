/** A raw account of Solana. */
export interface SolanaAccount {
  readonly address: string;
  /** The program that owns it. */
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}
