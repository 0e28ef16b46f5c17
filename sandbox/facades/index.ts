import type { Facade } from '../facade.ts';
import { coingecko } from './coingecko.ts';
import { coinmarketcap } from './coinmarketcap.ts';
import { coinpaprika } from './coinpaprika.ts';
import { consensus_sets } from './consensus_sets.ts';
import { defillama } from './defillama.ts';
import { defillama_activity } from './defillama_activity.ts';
import { dexpaprika } from './dexpaprika.ts';
import { dexscreener } from './dexscreener.ts';
import { crt_sh, osv, safe } from './evidence.ts';
import { evm_rpc } from './evm_rpc.ts';
import { binance, bitstamp, bybit, coinbase, gateio, kraken, kucoin, okx } from './exchanges.ts';
import { geckoterminal } from './geckoterminal.ts';
import { github } from './github.ts';
import { goplus } from './goplus.ts';
import { birdeye, etherscan, jupiter, pyth } from './keyed.ts';
import { ecb, esma, immunefi, l2beat, ofac, wayback } from './public_lists.ts';
import { doh, rdap } from './registries.ts';
import { rugcheck } from './rugcheck.ts';
import { blockscout, honeypot_is, sourcify } from './scanners.ts';
import { snapshot, snapshot_votes } from './snapshot.ts';
import { solana_rpc } from './solana_rpc.ts';
import { third_parties } from './third_parties.ts';
import { meteora, orca, raydium } from './venues.ts';
import { website } from './website.ts';

/** Every public source by its fixed name. Helius speaks Solana JSON-RPC. `tls` is the sandbox's own TLS port. */
export const FACADES: Readonly<Record<string, Facade>> = {
  coingecko,
  geckoterminal,
  coinmarketcap,
  coinpaprika,
  dexpaprika,
  dexscreener,
  defillama,
  defillama_activity,
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
  jupiter,
  birdeye,
  pyth,
  solana_rpc,
  evm_rpc,
  consensus_sets,
  blockscout,
  rugcheck,
  goplus,
  honeypot_is,
  sourcify,
  etherscan,
  safe,
  helius: solana_rpc,
  github,
  third_parties,
  snapshot,
  snapshot_votes,
  immunefi,
  osv,
  l2beat,
  ecb,
  ofac,
  esma,
  wayback,
  rdap,
  doh,
  crt_sh,
  website,
};
