import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana-programs.ts';
import { address, u64 } from './bytes.ts';

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Raw units. */
  readonly amount: bigint;
  readonly frozen: boolean;
}

const TOKEN_ACCOUNT_LENGTH = 165;
const ACCOUNT_TYPE_TOKEN_ACCOUNT = 2;

/** Decodes an SPL Token or Token-2022 account, from its first 165 bytes or all of them; null when it is none or not initialised. */
export function decodeTokenAccount(ownerProgram: string, data: Uint8Array): TokenAccount | null {
  if (ownerProgram !== TOKEN_PROGRAM && ownerProgram !== TOKEN_2022_PROGRAM) return null;
  if (data.length < TOKEN_ACCOUNT_LENGTH) return null;
  if (
    data.length > TOKEN_ACCOUNT_LENGTH &&
    (ownerProgram === TOKEN_PROGRAM || data[TOKEN_ACCOUNT_LENGTH] !== ACCOUNT_TYPE_TOKEN_ACCOUNT)
  )
    return null;
  const state = data[108] ?? 0;
  if (state !== 1 && state !== 2) return null;
  return { mint: address(data, 0), owner: address(data, 32), amount: u64(data, 64), frozen: state === 2 };
}
