/** A real token of the recordings, as a caller would ask for it. */
export interface RecordedToken {
  readonly title: string;
  readonly body: Readonly<Record<string, string>>;
  /** When the reply was recorded, as far as the recording says so; null: not known, then the machine's clock. */
  readonly recordedAt: string | null;
  /** Where its chain and address, or its registry id, lead when somebody vouches for them. */
  readonly chain: string | null;
  readonly address: string | null;
  readonly coingeckoId?: string;
  readonly symbol: string;
  readonly sources: readonly string[];
}

const token = (
  title: string,
  symbol: string,
  url: string,
  chain: string,
  address: string,
  recordedAt: string | null,
  source: string,
): RecordedToken => ({
  title,
  body: { project: title, project_url: url, token_symbol: symbol, blockchain: chain, token_address: address },
  recordedAt,
  chain,
  address,
  symbol,
  sources: [source],
});

const byId = (title: string, symbol: string, url: string, coingeckoId: string, recordedAt: string): RecordedToken => ({
  title,
  body: { project: title, project_url: url, token_symbol: symbol },
  recordedAt,
  chain: null,
  address: null,
  coingeckoId,
  symbol,
  sources: [],
});

/** By the time of the recording; pages of markets and launch pads stand where a token's own site is not known. */
export const TOKENS: readonly RecordedToken[] = [
  { ...byId('Bitcoin', 'BTC', 'https://bitcoin.org', 'bitcoin', '2021-05-15T16:00:13Z'), sources: ['coingecko'] },
  token(
    'Tether',
    'USDT',
    'https://tether.to',
    'ethereum',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
    '2021-08-13T14:06:54Z',
    'coingecko',
  ),
  ...(
    [
      ['Chainlink', 'LINK', 'https://chain.link', 'chainlink'],
      ['Dai', 'DAI', 'https://makerdao.com', 'dai'],
      ['Arbitrum', 'ARB', 'https://arbitrum.foundation', 'arbitrum'],
    ] as const
  ).map(([title, symbol, url, id]) => ({
    ...byId(title, symbol, url, id, '2025-03-06T15:57:14Z'),
    sources: ['defillama'],
  })),
  token(
    'aura',
    'AURA',
    'https://dexscreener.com/solana/DtR4D9FtVoTX2569gaL837ZgrB6wNjj6tkmnX9Rdk9B2',
    'solana',
    'DtR4D9FtVoTX2569gaL837ZgrB6wNjj6tkmnX9Rdk9B2',
    '2025-10-16T11:33:55Z',
    'defillama',
  ),
  // The youngest pair in the recording was created at 23:24:18.
  token(
    'World Liberty Financial USD',
    'USD1',
    'https://worldlibertyfinancial.com',
    'solana',
    'USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB',
    '2025-11-05T23:25:00Z',
    'dexscreener',
  ),
  token(
    'America Party',
    'AMEP',
    'https://letsbonk.fun/token/6XLSXS1HDXsTbq53onqAUeCqU6fxuMSgu7JkfZ9kbonk',
    'solana',
    '6XLSXS1HDXsTbq53onqAUeCqU6fxuMSgu7JkfZ9kbonk',
    '2026-03-13T13:35:59Z',
    'solana_rpc',
  ),
  token(
    'The Black Bull',
    'ANSEM',
    'https://pump.fun/coin/9cRCn9rGT8V2imeM2BaKs13yhMEais3ruM3rPvTGpump',
    'solana',
    '9cRCn9rGT8V2imeM2BaKs13yhMEais3ruM3rPvTGpump',
    null,
    'rugcheck',
  ),
  token(
    'PancakeSwap',
    'CAKE',
    'https://pancakeswap.finance',
    'bsc',
    '0x0e09fabb73bd3ade0a17ecc321fd13a19e81ce82',
    null,
    'goplus',
  ),
  token(
    'BSN',
    'BSN',
    'https://four.meme/token/0x6b4acce5878c2850b5d5acfdde009cc4c9e14444',
    'bsc',
    '0x6b4acce5878c2850b5d5acfdde009cc4c9e14444',
    null,
    'goplus',
  ),
  token(
    'LAToken',
    'LA',
    'https://latoken.com',
    'ethereum',
    '0xe50365f5d679cb98a1dd62d6f6e58e59321bcddf',
    null,
    'geckoterminal',
  ),
  token(
    'Jito Staked SOL',
    'JitoSOL',
    'https://www.jito.network',
    'solana',
    'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
    null,
    'solana_rpc',
  ),
  token(
    'Marinade staked SOL',
    'mSOL',
    'https://marinade.finance',
    'solana',
    'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
    null,
    'solana_rpc',
  ),
];
