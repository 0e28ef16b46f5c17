import { type Mint, type MintExtensions, toBase58 } from '../../chains/index.ts';
import { SOLANA_KEYS, totalOf } from '../holders/balance-table.ts';
import { OWNER_BYTES, type ScanOptions, selected, sumsOf } from './scan.ts';

const TYPE_AT = 165;
/** Byte that says that this is an account, and the extension ImmutableOwner (type 7, no bytes) of an associated account. */
const STARTS: readonly (readonly number[])[] = [[2], [2, 7, 0, 0, 0]];
/** Type and length of TransferFeeAmount; its eight bytes are the fees withheld. */
const FEE_AMOUNT: readonly number[] = [2, 0, 8, 0];
/**
 * Extensions that an account has from the start because its mint has one, by the type of the mint's: those of transfer fees,
 * transfer hooks (one byte, 0 outside a transfer), pausable and non-transferable mints (spl-token-2022 `ExtensionType`).
 */
const REQUIRED: ReadonlyMap<number, readonly number[]> = new Map([
  [1, FEE_AMOUNT],
  [9, [13, 0, 0, 0]],
  [14, [15, 0, 1, 0, 0]],
  [26, [27, 0, 0, 0]],
]);

/** How accounts of a mint go on after their first 165 bytes, up to the fees: the program keeps the order of the mint's extensions. */
function feeHeaders(entries: MintExtensions['entries']): readonly (readonly number[])[] {
  const before = entries.slice(
    0,
    entries.findIndex(({ type }) => REQUIRED.get(type) === FEE_AMOUNT),
  );
  const between = before.flatMap(({ type }) => REQUIRED.get(type) ?? []);
  return STARTS.map((start) => [...start, ...between, ...FEE_AMOUNT]);
}

/**
 * Transfer fees of a Token-2022 mint that belong to the supply and are no owner's balance: those in the mint, and those in the
 * accounts, as far as the node gives parts of accounts and they lie where the programs place them. Base units.
 */
export async function withheldFees(options: ScanOptions, { extensions }: Mint, signal?: AbortSignal): Promise<bigint> {
  if (extensions.transferFee === null) return 0n;
  let { withheld } = extensions.transferFee;
  if (options.form === 'das') return withheld;
  for (const header of feeHeaders(extensions.entries)) {
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
