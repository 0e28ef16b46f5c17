import { EVM_CHAINS } from '../../chains/index.ts';
import { defineSource } from '../source.ts';
import { accountCodeEndpoint, accountKindEndpoint, codeEndpoint, proxySlotsEndpoint } from './accounts.ts';
import { backingEndpoint } from './backing.ts';
import { holderContractsEndpoint } from './holder-contracts.ts';
import { operatorBases } from './operators.ts';
import { poolShapesEndpoint, poolStatesEndpoint } from './pools.ts';
import { positionsEndpoint } from './positions.ts';
import { redemptionEndpoint } from './redemption.ts';
import { issuedEndpoint, reserveFeedEndpoint } from './reserve-feed.ts';
import { headEndpoint, sanctionsEndpoint, tokenEndpoint } from './token.ts';
import { vaultEndpoint, vaultHeldEndpoint } from './vault.ts';

/**
 * EVM JSON-RPC: the chain itself, read from nodes of two operators for every chain (`<chain>` and `<chain>_2`), so that no
 * single node is trusted.
 *
 * Lineage: every number is read from the contract's getters, code and storage; family `chain:<base>`, tier chain.
 * Terms: keyless public endpoints (chainlist `extraRpcs`), without a service level; an operator with more traffic sets
 * ASSAY_SOURCE_EVM_RPC_<CHAIN>_URL.
 * Quirks: one call a request, because some keyless nodes reject batches (drpc: more than three); a missing getter is
 * normal (`allowFailure`), and a call to an account without code succeeds with no bytes; some names are bytes32; a
 * token's getters return whatever its author wrote, so owner() can be false, unlike storage and code.
 */
export const evmRpc = defineSource({
  name: 'evm_rpc',
  title: 'EVM JSON-RPC',
  doc: 'https://ethereum.org/en/developers/docs/apis/json-rpc/',
  family: 'chain',
  tier: 'chain',
  reliability: 0.97,
  bases: operatorBases(),
  terms: {
    redistribute: true,
    keepBodyDays: null,
    note: 'Public chain data; the public nodes give no service level.',
  },
  budget: { perMinute: 240, burst: 30, concurrency: 10, shareSeconds: 10 },
  timeoutMs: 8_000,
  chains: EVM_CHAINS.map((chain) => chain.name),
  provides: { market: 2, names: 2, chain: 2, evm_node: 1, proxies: 1, creation: 1 },
  endpoints: [
    tokenEndpoint,
    codeEndpoint,
    proxySlotsEndpoint,
    accountCodeEndpoint,
    accountKindEndpoint,
    poolShapesEndpoint,
    poolStatesEndpoint,
    headEndpoint,
    sanctionsEndpoint,
    redemptionEndpoint,
    issuedEndpoint,
    reserveFeedEndpoint,
    backingEndpoint,
    positionsEndpoint,
    holderContractsEndpoint,
    vaultEndpoint,
    vaultHeldEndpoint,
  ],
});
