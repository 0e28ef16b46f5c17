import { key, u8, u32, u64 } from '../codecs/account-data.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../solana-programs.ts';
import { type MintExtensions, readExtensions } from './mint-extensions.ts';

export interface Mint {
  readonly standard: 'spl-token' | 'token-2022';
  /** Null when renounced. */
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Base units. */
  readonly supply: bigint;
  /** 0-255: hostile mints use all of it. */
  readonly decimals: number;
  readonly extensions: MintExtensions;
}

const MINT_LENGTH = 82;
/** A Token-2022 mint with extensions is padded to a token account's length, then one byte says what it is. */
const ACCOUNT_TYPE_AT = 165;
const ACCOUNT_TYPE_MINT = 1;
const MULTISIG_LENGTH = 355;

/**
 * Decodes an SPL Token or Token-2022 mint account (spl-token `Mint`). Null when the owner is no token program or the bytes
 * are no initialised mint: a token account, a multisig or a buffer of another length is refused.
 */
export function decodeMint(ownerProgram: string, data: Uint8Array): Mint | null {
  const classic = ownerProgram === TOKEN_PROGRAM;
  if (!classic && ownerProgram !== TOKEN_2022_PROGRAM) return null;
  const extended =
    !classic &&
    data.length > ACCOUNT_TYPE_AT &&
    data.length !== MULTISIG_LENGTH &&
    data[ACCOUNT_TYPE_AT] === ACCOUNT_TYPE_MINT;
  if (data.length !== MINT_LENGTH && !extended) return null;
  if (u8(data, 45) !== 1 || u32(data, 0) > 1 || u32(data, 46) > 1) return null;
  return {
    standard: classic ? 'spl-token' : 'token-2022',
    mintAuthority: u32(data, 0) === 1 ? key(data, 4) : null,
    freezeAuthority: u32(data, 46) === 1 ? key(data, 50) : null,
    supply: u64(data, 36),
    decimals: u8(data, 44),
    extensions: readExtensions(data, ACCOUNT_TYPE_AT + 1),
  };
}
