import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana-programs.ts';
import { i64, key, keyOrNull, u8, u16, u32, u64 } from './account-data.ts';

export interface Mint {
  readonly standard: 'spl-token' | 'token-2022';
  /** Null when renounced. */
  readonly mintAuthority: string | null;
  readonly freezeAuthority: string | null;
  /** Base units. */
  readonly supply: bigint;
  /** 0-255: hostile mints use all of it. */
  readonly decimals: number;
  readonly extensions: readonly MintExtension[];
}

/** One Token-2022 extension; `facts` only for those that change what a holder has or a swap gives. */
export interface MintExtension {
  readonly name: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

const MINT_LENGTH = 82;
const ACCOUNT_TYPE_AT = 165;
const MULTISIG_LENGTH = 355;

/** Token-2022 extension types a mint may have (spl-token-2022 ExtensionType). */
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'transfer_fee'],
  [3, 'close_authority'],
  [4, 'confidential_transfer'],
  [6, 'default_account_state'],
  [9, 'non_transferable'],
  [10, 'interest_bearing'],
  [12, 'permanent_delegate'],
  [14, 'transfer_hook'],
  [16, 'confidential_transfer_fee'],
  [18, 'metadata_pointer'],
  [19, 'metadata'],
  [20, 'group_pointer'],
  [21, 'group'],
  [22, 'group_member_pointer'],
  [23, 'group_member'],
  [24, 'confidential_mint_burn'],
  [25, 'scaled_amount'],
  [26, 'pausable'],
  [28, 'permissioned_burn'],
]);

/** Decodes an SPL Token or Token-2022 mint; null when the owner is no token program or the bytes are no initialised mint. */
export function decodeMint(owner: string, data: Uint8Array): Mint | null {
  const classic = owner === TOKEN_PROGRAM;
  if (!classic && owner !== TOKEN_2022_PROGRAM) return null;
  const extended =
    !classic && data.length > ACCOUNT_TYPE_AT && data.length !== MULTISIG_LENGTH && data[ACCOUNT_TYPE_AT] === 1;
  if (data.length !== MINT_LENGTH && !extended) return null;
  if (u8(data, 45) !== 1 || u32(data, 0) > 1 || u32(data, 46) > 1) return null;
  return {
    standard: classic ? 'spl-token' : 'token-2022',
    mintAuthority: u32(data, 0) === 1 ? key(data, 4) : null,
    freezeAuthority: u32(data, 46) === 1 ? key(data, 50) : null,
    supply: u64(data, 36),
    decimals: u8(data, 44),
    extensions: extended ? extensionsOf(data) : [],
  };
}

function extensionsOf(data: Uint8Array): readonly MintExtension[] {
  const found: MintExtension[] = [];
  for (let at = ACCOUNT_TYPE_AT + 1; at + 4 <= data.length; ) {
    const type = u16(data, at);
    const length = u16(data, at + 2);
    // Type 0 is the zeroed rest of an account that was made larger than it needed.
    if (type === 0) break;
    const value = data.subarray(at + 4, at + 4 + length);
    const cut = value.length < length;
    found.push({ name: NAMES.get(type) ?? `unknown_${type}`, facts: cut ? { truncated: true } : factsOf(type, value) });
    if (cut) break;
    at += 4 + length;
  }
  return found;
}

function factsOf(type: number, value: Uint8Array): MintExtension['facts'] {
  switch (type) {
    case 1:
      return {
        authority: keyOrNull(value, 0),
        older_epoch: u64(value, 72).toString(),
        older_basis_points: u16(value, 88),
        newer_epoch: u64(value, 90).toString(),
        newer_basis_points: u16(value, 106),
      };
    case 3:
    case 12:
    case 28:
      return { authority: keyOrNull(value, 0) };
    case 6:
      return { frozen_by_default: u8(value, 0) === 2 };
    case 10:
      return { rate_basis_points: (u16(value, 50) << 16) >> 16 };
    case 14:
      return { authority: keyOrNull(value, 0), program: keyOrNull(value, 32) };
    case 25:
      return { authority: keyOrNull(value, 0), effective_at_seconds: i64(value, 40).toString() };
    case 26:
      return { authority: keyOrNull(value, 0), paused: u8(value, 32) === 1 };
    default:
      return {};
  }
}
