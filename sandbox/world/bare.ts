import { evmAddress, solanaAccount, solanaWallet } from './addresses.ts';

/** A token that exists on its chain and nowhere else: no site, no market, no indexer. Unusual on purpose. */
export interface BareToken {
  readonly slug: string;
  readonly chain: 'solana' | 'ethereum';
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly supply: bigint;
  readonly holders: readonly { readonly owner: string; readonly account: string; readonly amount: bigint }[];
  readonly note: string;
}

const U64_MAX = (1n << 64n) - 1n;
/** Right-to-left override, isolates and Arabic letters, over ten kilobytes of UTF-8. */
const BIDI_NAME = `\u202e${'\u0645\u0631\u062d\u0628\u0627\u2067'.repeat(800)}`;

const ROWS: readonly (Omit<BareToken, 'address' | 'holders'> & { readonly parts: readonly bigint[] })[] = [
  {
    slug: 'formula',
    chain: 'solana',
    name: '=HYPERLINK("http://e")',
    symbol: '=1+1',
    decimals: 0,
    supply: U64_MAX,
    parts: [10n ** 18n, 7n, U64_MAX - 10n ** 18n - 7n],
    note: 'supply of all ones in 64 bits, decimals 0, a formula for a name',
  },
  {
    slug: 'alone',
    chain: 'solana',
    name: '<script>alert(1)</script>',
    symbol: '<b>',
    decimals: 9,
    supply: 10n ** 15n,
    parts: [10n ** 15n],
    note: 'one holder, a script for a name',
  },
  {
    slug: 'nothing',
    chain: 'solana',
    name: '+cmd|calc',
    symbol: '-1',
    decimals: 6,
    supply: 0n,
    parts: [],
    note: 'supply 0 and nobody who holds it',
  },
  {
    slug: 'endless',
    chain: 'ethereum',
    name: BIDI_NAME,
    symbol: '\u202eDSU',
    decimals: 255,
    supply: 1n << 250n,
    parts: [1n << 249n, 1n << 248n, 1n << 248n],
    note: 'decimals 255, a supply of 250 bits, ten kilobytes of right-to-left name',
  },
  {
    slug: 'whole',
    chain: 'ethereum',
    name: '@SUM(A1:A9)',
    symbol: '\tTAB',
    decimals: 0,
    supply: (1n << 64n) + 5n,
    parts: [(1n << 64n) + 4n, 1n],
    note: 'decimals 0, a supply past 64 bits, a formula for a name',
  },
  {
    slug: 'precise',
    chain: 'ethereum',
    name: 'Precise',
    symbol: 'PRC',
    decimals: 18,
    supply: 123_456_789_012_345_678_123_456_789_012_345_678n,
    parts: [123_456_789_012_345_678_123_456_789_012_345_677n, 1n],
    note: 'decimals 18, a supply of whole tokens past 2^53 with a digit in every place',
  },
];

export function bareTokens(seed: number): readonly BareToken[] {
  return ROWS.map(({ parts, ...row }) => {
    const solana = row.chain === 'solana';
    const account = solana ? solanaAccount : evmAddress;
    const wallet = solana ? solanaWallet : evmAddress;
    return {
      ...row,
      address: account(seed, 'bare', row.slug, 'token'),
      holders: parts.map((amount, index) => ({
        owner: wallet(seed, 'bare', row.slug, 'owner', index),
        account: solanaAccount(seed, 'bare', row.slug, 'account', index),
        amount,
      })),
    };
  });
}
