import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana-programs.ts';
import { address, u32, u64 } from './bytes.ts';
import { type MintExtensions, readExtensions } from './extensions.ts';

export interface Mint {
  readonly standard: 'spl-token' | 'token-2022';
  /** Null when renounced. */
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Raw units. */
  readonly supply: bigint;
  readonly decimals: number;
  readonly extensions: MintExtensions;
}

const MINT_LENGTH = 82;
/** A Token-2022 mint with extensions is padded to a token account's length, then one byte says what it is. */
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
const MULTISIG_LENGTH = 355;

/**
 * Decodes an SPL Token or Token-2022 mint account (sources-chain A2; spl-token `Mint`). Null when the owner is no token
 * program or the bytes are no initialised mint: a token account, a multisig or a buffer of another length is refused.
 */
export function decodeMint(ownerProgram: string, data: Uint8Array): Mint | null {
  const classic = ownerProgram === TOKEN_PROGRAM;
  if (!classic && ownerProgram !== TOKEN_2022_PROGRAM) return null;
  const plain = data.length === MINT_LENGTH;
  const extended =
    !classic &&
    data.length > ACCOUNT_TYPE_AT &&
    data.length !== MULTISIG_LENGTH &&
    data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT;
  if (!plain && !extended) return null;
  const mintOption = u32(data, 0);
  const freezeOption = u32(data, 46);
  if (data[45] !== 1 || mintOption > 1 || freezeOption > 1) return null;
  return {
    standard: classic ? 'spl-token' : 'token-2022',
    mintAuthority: mintOption === 1 ? address(data, 4) : null,
    freezeAuthority: freezeOption === 1 ? address(data, 50) : null,
    supply: u64(data, 36),
    decimals: data[44] ?? 0,
    extensions: readExtensions(data, ACCOUNT_TYPE_AT + 1),
  };
}
