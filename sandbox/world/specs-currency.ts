import type { AssetSpec } from './types.ts';

/** US dollars for other currencies, as the replicas of the European Central Bank and CoinGecko state them. */
export const DOLLARS_FOR = { EUR: 1.1252, XAU: 4_000 } as const;

const POWERS = {
  mintAuthority: 'multisig',
  freezeAuthority: 'multisig',
  owner: 'multisig',
  proxyAdmin: 'multisig',
} as const;

/** Coins pegged to another currency or a metal, with rows of their issuers in registers.json. */
export const CURRENCY_ASSETS: readonly AssetSpec[] = [
  issued('Lindenmere Euro', 'EURL', 'EUR', 'stablecoin', 0.9992, {
    totalSupply: 3.1e8,
    liquidityUsd: 2.2e7,
    volumeUsd: 4.8e7,
    holders: 38_000,
    ageDays: 1_020,
    words: { coingecko: ['Stablecoins', 'EUR Stablecoin', 'Fiat-backed Stablecoin'], coinmarketcap: ['stablecoin'] },
    note: 'a euro of an issuer under supervision, at its peg: no DEPEG from the rate of the euro',
  }),
  issued('Vaultbrook Gold', 'VBAU', 'XAU', 'rwa', 1.0021, {
    totalSupply: 61_000,
    liquidityUsd: 1.4e7,
    volumeUsd: 2.6e7,
    holders: 21_000,
    ageDays: 1_480,
    words: { coingecko: ['Tokenized Gold', 'Real World Assets (RWA)'], coinmarketcap: ['tokenized-gold'] },
    note: 'an ounce of gold in a vault, of an issuer under supervision',
  }),
];

function issued(
  name: string,
  symbol: string,
  pegCurrency: keyof typeof DOLLARS_FOR,
  category: AssetSpec['category'],
  /** Price over the value of its peg. */
  trades: number,
  rest: Pick<AssetSpec, 'totalSupply' | 'liquidityUsd' | 'volumeUsd' | 'holders' | 'ageDays' | 'note' | 'words'>,
): AssetSpec {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const priceUsd = DOLLARS_FOR[pegCurrency] * trades;
  return {
    slug,
    name,
    symbol,
    category,
    pegCurrency,
    priceUsd,
    chain: 'ethereum',
    kind: 'healthy',
    grade: 'healthy',
    circulatingShare: 1,
    domain: `${slug}.example`,
    tvlUsd: priceUsd * rest.totalSupply,
    peg: 1,
    traits: { ...POWERS, cex: true },
    ...rest,
  };
}
