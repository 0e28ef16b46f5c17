import { type Mint, toBase58 } from '../../chains/index.ts';
import { SOLANA_KEYS, totalOf } from '../holders/balance-table.ts';
import { OWNER_BYTES, type ScanOptions, selected, sumsOf } from './scan.ts';

const TYPE_AT = 165;
/**
 * How a Token-2022 account with a transfer fee goes on after its first 165 bytes: the type of an account (2), then the extension
 * TransferFeeAmount (type 2, 8 bytes), in an associated account after ImmutableOwner (type 7, no bytes).
 */
const FEE_HEADERS: readonly (readonly number[])[] = [
  [2, 2, 0, 8, 0],
  [2, 7, 0, 0, 0, 2, 0, 8, 0],
];

/**
 * Transfer fees of a Token-2022 mint that belong to the supply and are no owner's balance: those in the mint, and those in the
 * accounts, as far as the node gives parts of accounts and they lie where the programs place them. Base units.
 */
export async function withheldFees(options: ScanOptions, { extensions }: Mint, signal?: AbortSignal): Promise<bigint> {
  if (extensions.transferFee === null) return 0n;
  let { withheld } = extensions.transferFee;
  if (options.form === 'das') return withheld;
  for (const header of FEE_HEADERS) {
    const bytes = toBase58(Uint8Array.from(header));
    const wanted = selected(TYPE_AT + header.length - OWNER_BYTES, [
      { memcmp: { offset: 0, bytes: options.mint } },
      { memcmp: { offset: TYPE_AT, bytes } },
    ]);
    const read = await sumsOf(options, wanted, { slot: 0, bytes: 0 }, signal);
    if ('ok' in read) continue;
    withheld += totalOf({ count: read.owners, form: SOLANA_KEYS, chunks: read.chunks });
  }
  return withheld;
}
