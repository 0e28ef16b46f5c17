import { solana } from '../../chains/index.ts';
import { defineSource } from '../source.ts';
import { authorityAccountsEndpoint } from './authority-endpoint.ts';
import { headEndpoint } from './head-endpoint.ts';
import { largestAccountsEndpoint, largestOwnersEndpoint, ownerAccountsEndpoint } from './holder-endpoints.ts';
import { locksEndpoint } from './locks-endpoint.ts';
import { metadataEndpoint, mintEndpoint, type Operators, supplyEndpoint } from './mint-endpoints.ts';
import { poolAccountsEndpoint, poolStatesEndpoint } from './pool-endpoints.ts';
import { redemptionEndpoint } from './redemption-endpoint.ts';

/**
 * Solana JSON-RPC: the chain itself, asked at two operators so that no single node is believed.
 *
 * Lineage: every number is read from accounts and decoded here; family `chain:<base>`, tier chain.
 * Terms: the public endpoints promise nothing and limit by address (main: 100 requests in 10 s, 40 per method and 10 s,
 * https://solana.com/docs/references/clusters). An operator with traffic sets ASSAY_SOURCE_SOLANA_RPC_URL to an own or paid node.
 * Quirks: amounts are u64 and leave here only as whole tokens; `rentEpoch` is above 2^53 and never read;
 * getTokenLargestAccounts names 20 token accounts without owners and may be refused for large mints (-32010);
 * a missing account is `value: null`, not an error.
 */
const operators: Operators = { bases: ['main', 'second'], family: (base) => `chain:${base}` };
const firstOperator: Operators = { ...operators, bases: ['main'] };

export const solanaRpc = defineSource({
  name: 'solana_rpc',
  title: 'Solana JSON-RPC',
  doc: 'https://solana.com/docs/rpc',
  family: 'chain:main',
  tier: 'chain',
  reliability: 0.98,
  bases: { main: solana.nodes[0], second: solana.nodes[1] },
  terms: {
    redistribute: true,
    keepBodyDays: null,
    note: 'Public chain data; the public nodes give no service level and may refuse heavy use.',
  },
  budget: { perMinute: 200, burst: 20, concurrency: 8, shareSeconds: 10 },
  timeoutMs: 8_000,
  chains: ['solana'],
  tells: { market: 1, names: 1, holders: 1, chain: 1, solana_node: 1, creation: 2 },
  endpoints: [
    mintEndpoint(operators, 'solana_rpc'),
    supplyEndpoint(operators),
    largestAccountsEndpoint(firstOperator),
    largestOwnersEndpoint(firstOperator),
    ownerAccountsEndpoint(firstOperator),
    authorityAccountsEndpoint(operators),
    poolAccountsEndpoint(firstOperator),
    poolStatesEndpoint(firstOperator),
    metadataEndpoint(firstOperator),
    headEndpoint(operators),
    locksEndpoint(firstOperator),
    redemptionEndpoint(operators),
  ],
});
