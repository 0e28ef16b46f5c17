import { addressBytes, derivedAddress, key, textAt } from '../codecs/accounts.ts';
import { METADATA_PROGRAM } from '../solana-programs.ts';

export interface Metadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly isMutable: boolean;
}

const KEY_METADATA_V1 = 4;
/** The program allows 32, 10 and 200 bytes; a longer one is not its doing. */
const LONGEST = { name: 32, symbol: 10, uri: 200 } as const;
const CREATOR_LENGTH = 34;
const MOST_CREATORS = 5;

/** The address of a mint's Metaplex metadata: seeds "metadata", program, mint; null when `mint` is no address. */
export function metadataAddress(mint: string): string | null {
  const program = addressBytes(METADATA_PROGRAM);
  const mintBytes = addressBytes(mint);
  if (program === null || mintBytes === null) return null;
  return derivedAddress([new TextEncoder().encode('metadata'), program, mintBytes], METADATA_PROGRAM);
}

/**
 * Decodes a Metaplex metadata account (mpl-token-metadata `Metadata`), read in order because texts have their own lengths.
 * Null when another program owns it, it is another kind of account, or a length lies.
 */
export function decodeMetadata(ownerProgram: string, data: Uint8Array): Metadata | null {
  if (ownerProgram !== METADATA_PROGRAM || data.length < 65 || data[0] !== KEY_METADATA_V1) return null;
  const name = textAt(data, 65, LONGEST.name);
  const symbol = name && textAt(data, name.next, LONGEST.symbol);
  const uri = symbol && textAt(data, symbol.next, LONGEST.uri);
  if (!name || !symbol || !uri) return null;
  const mutableAt = afterCreators(data, uri.next + 2);
  const mutable = mutableAt === null ? undefined : data[mutableAt];
  if (mutable !== 0 && mutable !== 1) return null;
  return {
    updateAuthority: key(data, 1),
    mint: key(data, 33),
    name: name.value,
    symbol: symbol.value,
    uri: uri.value,
    isMutable: mutable === 1,
  };
}

/** Where `isMutable` is: behind the optional list of creators and the flag of the first sale. */
function afterCreators(data: Uint8Array, at: number): number | null {
  const option = data[at];
  if (option === 0) return at + 2;
  if (option !== 1 || at + 5 > data.length) return null;
  const count = (data[at + 1] ?? 0) + (data[at + 2] ?? 0) * 256 + ((data[at + 3] ?? 0) + (data[at + 4] ?? 0)) * 65_536;
  return count > MOST_CREATORS ? null : at + 5 + count * CREATOR_LENGTH + 1;
}
