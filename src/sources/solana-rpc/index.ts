import { CLOCK_SYSVAR, solana } from '../../chains/index.ts';
import { Refusal, rpcEndpoint } from '../json-rpc.ts';
import { observed } from '../observations.ts';
import { defineSource } from '../source.ts';
import { accountCall, BASES, clockOf, ONE_ACCOUNT } from './accounts.ts';
import { backingEndpoint } from './backing.ts';
import {
  authorityAccountsEndpoint,
  largestAccountsEndpoint,
  largestOwnersEndpoint,
  ownerAccountsEndpoint,
} from './holders.ts';
import { locksEndpoint } from './locks.ts';
import { metadataEndpoint, mintEndpoint, supplyEndpoint } from './mint.ts';
import { poolAccountsEndpoint, poolStatesEndpoint } from './pools.ts';
import { redemptionEndpoint } from './redemption.ts';

/** Params `{base}`: the time of the newest slot. Its age shows whether the chain has halted. */
export const headEndpoint = rpcEndpoint({
  name: 'head',
  doc: 'getAccountInfo of the Clock sysvar: unix_timestamp of the newest slot (https://docs.rs/solana-clock); checked on a real runtime.',
  plan: ({ chain }) => (chain?.kind === 'solana' ? BASES.map((base) => ({ base })) : []),
  call: () => accountCall(CLOCK_SYSVAR),
  result: ONE_ACCOUNT,
  read: ({ value }) => clockOf(value) ?? new Refusal('empty', 'the node gives no clock'),
  observe: ({ seconds }) =>
    observed('chain_head_at', new Date(Number(seconds) * 1_000).toISOString(), 'clock of the newest slot'),
});

/**
 * Solana JSON-RPC: the chain itself, read from nodes of two operators, so that no single node is trusted.
 *
 * Lineage: every number is read from accounts and decoded here; family `chain:<base>`, tier chain.
 * Terms: the public endpoints have no service level and limit by IP address (main: 100 requests in 10 s, 40 per method and 10 s,
 * https://solana.com/docs/references/clusters). An operator with more traffic sets ASSAY_SOURCE_SOLANA_RPC_URL to an own or paid node.
 * Quirks: amounts are u64 and are observed only as whole tokens; `rentEpoch` exceeds 2^53 and is never read;
 * getTokenLargestAccounts returns 20 token accounts without owners and may be rejected for large mints (-32010);
 * a missing account is `value: null`, not an error.
 */
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
  provides: { market: 1, names: 1, holders: 1, chain: 1, solana_node: 1, creation: 2 },
  endpoints: [
    mintEndpoint('solana_rpc'),
    supplyEndpoint(),
    largestAccountsEndpoint,
    largestOwnersEndpoint,
    ownerAccountsEndpoint,
    authorityAccountsEndpoint,
    poolAccountsEndpoint,
    poolStatesEndpoint,
    metadataEndpoint,
    headEndpoint,
    locksEndpoint,
    redemptionEndpoint,
    backingEndpoint,
  ],
});
