import { EVM_CHAINS, solana } from '../../chains/index.ts';
import { defineSource } from '../source.ts';
import { COSMOS_BASES, cosmosSets } from './cosmos.ts';
import { ethereumSet } from './ethereum.ts';
import { bnbSet, EVM_STAKE_BASES, evmStake } from './evm-stake.ts';
import { proofOfWork } from './proof-of-work.ts';
import { solanaSet } from './solana.ts';
import { STAKE_BASES, stakeLists, suiSet } from './stake-lists.ts';
import { stellarSet } from './stellar.ts';
import { xrplSet } from './xrpl.ts';

function nodeOf(name: string): string {
  return EVM_CHAINS.find((chain) => chain.name === name)?.nodes[0] ?? '';
}

/**
 * The operators of a chain (mining pools, validators, published lists), read from the chain or its own indexer.
 *
 * Requested for the chain’s own coin only; a reply serves all scores of a day (`endpoints.ts`). Lineage: family `chain:<chain>`.
 * Terms: public nodes and indexers, fair use. Their limits (bitnodes 50 a day, beaconcha.in 10 a minute, Blockchair 30 a minute,
 * TronGrid and tonapi 1 a second without a key) are far above one request a day. `chains.json` defines how operators are counted, the
 * thresholds, and the range of published coefficients: a coefficient outside that range keeps half of its reliability.
 */
export const consensusSets = defineSource({
  name: 'consensus_sets',
  title: 'Consensus of chains',
  doc: 'https://github.com/xenowits/nakomoto-coefficient-calculator',
  family: 'chain',
  tier: 'chain',
  reliability: 0.9,
  bases: {
    bitcoin: 'https://mempool.space',
    litecoin: 'https://litecoinspace.org',
    blockchair: 'https://api.blockchair.com',
    blockchain_info: 'https://api.blockchain.info',
    bitnodes: 'https://bitnodes.io',
    solana: solana.nodes[0],
    xrpl: 'https://vl.ripple.com',
    ethereum: nodeOf('ethereum'),
    ethereum_explorer: 'https://eth.blockscout.com',
    beaconchain: 'https://beaconcha.in',
    migalabs: 'https://migalabs.es',
    bnb: nodeOf('bsc'),
    sui: 'https://fullnode.mainnet.sui.io',
    stellar: 'https://radar.withobsrvr.com',
    ...EVM_STAKE_BASES,
    ...STAKE_BASES,
    ...COSMOS_BASES,
  },
  terms: {
    redistribute: true,
    keepBodyDays: null,
    note: 'Public data of chains; terms of the indexers (mempool.space, Blockchair, bitnodes, beaconcha.in, MigaLabs) were not found.',
  },
  budget: { perMinute: 60, burst: 20, concurrency: 6, shareSeconds: 300 },
  timeoutMs: 15_000,
  endpoints: [
    ...proofOfWork,
    ...ethereumSet,
    ...solanaSet,
    ...xrplSet,
    ...bnbSet,
    ...suiSet,
    ...stellarSet,
    ...evmStake,
    ...stakeLists,
    ...cosmosSets,
  ],
});
