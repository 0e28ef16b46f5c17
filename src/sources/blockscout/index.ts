import { chainsOf, EVM_CHAINS } from '../../chains/index.ts';
import { defineSource } from '../source.ts';
import { contractEndpoint } from './contract.ts';
import { holdersEndpoint } from './holders.ts';
import { TESTNET_BASES, testnetEndpoint } from './testnet.ts';
import { countersEndpoint, tokenEndpoint } from './token.ts';

/**
 * Blockscout, one instance a chain (EVM), and of public test networks for contracts that projects without a token link.
 *
 * Lineage: an indexer of its own over the chain's logs; family `blockscout`, tier aggregator. Its `exchange_rate` and
 * market cap come from CoinGecko and are not used.
 * Terms: keyless per-instance access at about 3 requests a second, announced to end; the PRO API takes a free key
 * (https://docs.blockscout.com/devs/apis/requests-and-limits). A source that stops answering is shown as such.
 * Quirks: every number is a string; `holders_count` is `holders` at older instances; an unverified contract has no
 * `is_verified` at all; `public_tags` are names people gave; no instance for BSC, none sure for Avalanche.
 */
export const blockscout = defineSource({
  name: 'blockscout',
  title: 'Blockscout',
  doc: 'https://docs.blockscout.com/devs/apis/rest',
  family: 'blockscout',
  tier: 'aggregator',
  reliability: 0.85,
  bases: {
    ...Object.fromEntries(
      EVM_CHAINS.flatMap(({ name, names }) =>
        names.blockscout === null ? [] : [[name, `https://${names.blockscout}/api/v2`]],
      ),
    ),
    ...TESTNET_BASES,
  },
  key: { required: false, query: 'apikey' },
  terms: {
    attribution: { text: 'Explorer data by Blockscout', url: 'https://www.blockscout.com' },
    redistribute: true,
    keepBodyDays: null,
    note: 'Open explorer of public chain data; keyless access to single instances is announced to end.',
  },
  budget: { perMinute: 120, burst: 5, concurrency: 3, shareSeconds: 30 },
  timeoutMs: 10_000,
  chains: chainsOf('blockscout'),
  tells: { holdings: 3, names: 8, holders: 4, explorer: 1, testnet: 1, verified_code: 2, proxies: 3, creation: 3 },
  endpoints: [tokenEndpoint, holdersEndpoint, countersEndpoint, contractEndpoint, testnetEndpoint],
});
