import type { SolanaChain } from './chain.ts';
import { SPELLBOOK, service } from './fixed-addresses.ts';
import { FIXED_AUTHORITIES } from './solana-programs.ts';

export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

export const solana: SolanaChain = {
  name: 'solana',
  kind: 'solana',
  caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  evmChainId: null,
  title: 'Solana',
  aliases: ['sol'],
  native: { symbol: 'SOL', slip44: 501, coingeckoId: 'solana' },
  nodes: ['https://api.mainnet-beta.solana.com', 'https://solana-rpc.publicnode.com'],
  explorers: ['solscan.io', 'www.solscan.io', 'explorer.solana.com', 'solana.fm', 'xray.helius.xyz'],
  otherQuotes: [
    { symbol: 'JitoSOL', address: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn' },
    { symbol: 'mSOL', address: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So' },
  ],
  names: {
    coingecko: 'solana',
    geckoterminal: 'solana',
    coinmarketcap: 'solana',
    coinpaprika: 'sol-solana',
    dexpaprika: 'solana',
    dexscreener: 'solana',
    defillama: 'solana',
    birdeye: 'solana',
    goplus: 'solana',
  },
  quoteTokens: [
    { symbol: 'SOL', address: WRAPPED_SOL, decimals: 9 },
    { symbol: 'USDC', address: USDC, decimals: 6 },
    { symbol: 'USDT', address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
    { symbol: 'USD1', address: 'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB', decimals: 6 },
  ],
  serviceAddresses: [
    ...FIXED_AUTHORITIES.map(({ address, label, source }) => ({ address, ...label, source })),
    service(
      'GugU1tP7doLeTw9hQP51xRJyS8Da1fWxuiy2rVrnMD2m',
      'bridge',
      'Wormhole custody signer',
      'public code: custody authority of the token bridge',
    ),
    service('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', 'exchange', 'Binance', SPELLBOOK),
    service('5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9', 'exchange', 'Binance', SPELLBOOK),
    service('2AQdpHJ2JpcEgPiATUXjQxA8QmafFegfQwSLWSprPicm', 'exchange', 'Coinbase', SPELLBOOK),
    service('AC5RDfQFmDS1deWZos921JfqscXdByf8BKHs5ACWjtW2', 'exchange', 'Bybit', SPELLBOOK),
  ],
};

/** Decimals of the tokens that most pools are quoted in, for accounts read without their mints. */
export const KNOWN_DECIMALS: ReadonlyMap<string, number> = new Map(
  solana.quoteTokens.map((token) => [token.address, token.decimals]),
);
