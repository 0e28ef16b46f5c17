import { birdeye } from './birdeye.ts';
import { blockscout } from './blockscout.ts';
import { coingecko } from './coingecko/index.ts';
import { coinmarketcap } from './coinmarketcap.ts';
import { coinpaprika } from './coinpaprika.ts';
import { consensusSets } from './consensus/index.ts';
import { crtSh } from './crt-sh.ts';
import { defillama } from './defillama.ts';
import { defillamaActivity } from './defillama-activity.ts';
import { dexpaprika } from './dexpaprika.ts';
import { dexscreener } from './dexscreener.ts';
import { doh } from './doh.ts';
import { ecb } from './ecb.ts';
import { esma } from './esma.ts';
import { etherscan } from './etherscan.ts';
import { evmRpc } from './evm-rpc/index.ts';
import { binance } from './exchanges/binance.ts';
import { bitstamp } from './exchanges/bitstamp.ts';
import { bybit } from './exchanges/bybit.ts';
import { coinbase } from './exchanges/coinbase.ts';
import { gateio } from './exchanges/gateio.ts';
import { kraken } from './exchanges/kraken.ts';
import { kucoin } from './exchanges/kucoin.ts';
import { okx } from './exchanges/okx.ts';
import { geckoterminal } from './geckoterminal.ts';
import { github } from './github.ts';
import { goplus } from './goplus/index.ts';
import { helius } from './helius.ts';
import { honeypotIs } from './honeypot-is.ts';
import { immunefi } from './immunefi.ts';
import { jupiter } from './jupiter.ts';
import { l2beat } from './l2beat.ts';
import { meteora } from './meteora.ts';
import { ofac } from './ofac.ts';
import { orca } from './orca.ts';
import { osv } from './osv.ts';
import { pyth } from './pyth.ts';
import { raydium } from './raydium.ts';
import { rdap } from './rdap.ts';
import { registers } from './registers.ts';
import { rugcheck } from './rugcheck/index.ts';
import { safe } from './safe.ts';
import { snapshot } from './snapshot.ts';
import { snapshotVotes } from './snapshot-votes.ts';
import { solanaRpc } from './solana-rpc/index.ts';
import type { Source } from './source.ts';
import { sourcify } from './sourcify.ts';
import { thirdParties } from './third-parties.ts';
import { tls } from './tls.ts';
import { wayback } from './wayback.ts';
import { website } from './website/index.ts';

export { ASSET_LISTS, type ListedAsset, listedAssets } from './listed-assets.ts';

/** Every public source, in the order in which they are listed and requested. */
export const SOURCES: readonly Source[] = [
  solanaRpc,
  evmRpc,
  consensusSets,
  coingecko,
  geckoterminal,
  coinmarketcap,
  coinpaprika,
  dexpaprika,
  dexscreener,
  defillama,
  defillamaActivity,
  raydium,
  orca,
  meteora,
  binance,
  coinbase,
  kraken,
  okx,
  bybit,
  kucoin,
  gateio,
  bitstamp,
  rugcheck,
  goplus,
  honeypotIs,
  blockscout,
  sourcify,
  website,
  github,
  thirdParties,
  snapshot,
  snapshotVotes,
  immunefi,
  osv,
  l2beat,
  ecb,
  ofac,
  esma,
  wayback,
  rdap,
  doh,
  tls,
  crtSh,
  jupiter,
  birdeye,
  pyth,
  etherscan,
  safe,
  helius,
  registers,
];

/** Titles of the sources for readers, by their names. */
export const SOURCE_TITLES: ReadonlyMap<string, string> = new Map(SOURCES.map(({ name, title }) => [name, title]));
export { failureAt, statedFailure } from './failures.ts';
export { repoParams } from './github-ties.ts';
export { asciiDomain, hostOf, landingPage, ownDomain, registrableDomain } from './links.ts';
export { confusableWith, labelOf } from './lookalikes.ts';
export { rdapServerOf } from './rdap.ts';
export { text } from './read.ts';
export type {
  Endpoint,
  Facts,
  Finds,
  HttpRequestSpec,
  ListTerms,
  Params,
  Registry,
  ReplyMeta,
  Source,
  SourceReply,
  SourceRequester,
} from './source.ts';
export { ABOUT_ANOTHER, isAboutAnother } from './source.ts';
export { domainsOf, placed, plainSymbol, recordsOf, sorted } from './token-records.ts';
export { readLanding, type SitePage, UNREAD } from './website/page.ts';
