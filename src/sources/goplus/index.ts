import { chainsOf } from '../../chains/index.ts';
import { defineSource } from '../source.ts';
import { tokenSecurityEndpoint } from './evm.ts';
import { solanaTokenSecurityEndpoint } from './solana.ts';

/**
 * GoPlus token security, EVM and Solana.
 *
 * Lineage: own source analysis and simulation; family `goplus` (CoinMarketCap's security fields come from here too).
 * Terms: keyless at about 30 calls a minute (what careful integrators keep to; no figure in the public documents). No
 * terms for passing data on were found, so raw values stay here, bodies are kept for a month, and the source is named.
 * Quirks: values are the strings "0" and "1"; a missing key and "" mean not known, never "0" (recorded: CAKE without
 * taxes while `is_in_dex` is "1"); taxes and percents are fractions ("0.1" is 10 %); without source, or behind a proxy,
 * other findings stop; EVM results are keyed by the lower-case address, Solana's by the exact mint; `{}` is "not
 * indexed"; over the limit the reply is HTTP 200 with code 4029; `holder_count` may be "0" for a token that has holders;
 * Solana's holder rows are token accounts, so they are summed by owner. Verdicts and scores are not used, facts are.
 */
export const goplus = defineSource({
  name: 'goplus',
  title: 'GoPlus Security',
  doc: 'https://docs.gopluslabs.io/',
  family: 'goplus',
  tier: 'aggregator',
  reliability: 0.8,
  bases: { main: 'https://api.gopluslabs.io' },
  key: { required: false, header: 'authorization', prefix: 'Bearer ' },
  terms: {
    attribution: { text: 'Security data by GoPlus', url: 'https://gopluslabs.io' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'No terms for redistribution found: the source is named, raw replies are not passed on.',
  },
  budget: { perMinute: 28, burst: 2, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 10_000,
  chains: chainsOf('goplus'),
  tells: {
    holdings: 2,
    names: 7,
    holders: 2,
    scanners: 1,
    liquidity_locks: 2,
    verified_code: 3,
    proxies: 2,
    creators: 2,
  },
  endpoints: [tokenSecurityEndpoint, solanaTokenSecurityEndpoint],
});
