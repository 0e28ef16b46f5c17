import { key, u8, u32, u64 } from '../codecs/account-data.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana-programs.ts';

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Base units. */
  readonly amount: bigint;
  readonly frozen: boolean;
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: string | null;
}

const LENGTH = 165;

/** Decodes an SPL Token or Token-2022 account; null when it is none or not initialised. */
export function decodeTokenAccount(owner: string, data: Uint8Array): TokenAccount | null {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return null;
  if (data.length < LENGTH) return null;
  // A Token-2022 account with extensions says after its first 165 bytes what it is: 2 is a token account.
  if (data.length > LENGTH && (owner === TOKEN_PROGRAM || u8(data, LENGTH) !== 2)) return null;
  const state = u8(data, 108);
  if (state !== 1 && state !== 2) return null;
  return {
    mint: key(data, 0),
    owner: key(data, 32),
    amount: u64(data, 64),
    frozen: state === 2,
    delegate: u32(data, 72) === 1 ? key(data, 76) : null,
    delegatedAmount: u64(data, 121),
    closeAuthority: u32(data, 129) === 1 ? key(data, 133) : null,
  };
}
