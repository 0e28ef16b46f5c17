import { mintEndpoint, type Operators, supplyEndpoint } from './solana-rpc/mint.ts';
import { defineSource } from './source.ts';

/**
 * Helius: a Solana node operator with a free key. Used as an additional operator for the mint and its supply.
 *
 * Lineage: the same accounts as at every node, read from another operator; family `chain:helius`, tier chain.
 * Terms: a key is required (free plan: 1 M credits a month, 10 requests a second; https://www.helius.dev/docs/billing/plans).
 * Quirks: the key is sent in the query (`api-key`); DAS numbers are JSON numbers that lose digits above 2^53, so the raw
 * accounts are read instead.
 */
const operators: Operators = { bases: ['main'], family: () => 'chain:helius' };

export const helius = defineSource({
  name: 'helius',
  title: 'Helius',
  doc: 'https://www.helius.dev/docs/rpc',
  family: 'chain:helius',
  tier: 'chain',
  reliability: 0.98,
  bases: { main: 'https://mainnet.helius-rpc.com' },
  key: {
    required: true,
    query: 'api-key',
    adds: 'one more operator of Solana nodes: mint and supply',
    from: 'https://dashboard.helius.dev',
  },
  disabledReason: 'needs a key: Helius rejects requests without one',
  terms: {
    redistribute: true,
    keepBodyDays: null,
    note: 'Chain data read through an account of the operator of this installation.',
  },
  budget: { perMinute: 240, burst: 6, concurrency: 4, shareSeconds: 10 },
  timeoutMs: 8_000,
  chains: ['solana'],
  provides: { holdings: 5, paged_accounts: 1 },
  endpoints: [mintEndpoint(null, operators), supplyEndpoint(operators)],
});
