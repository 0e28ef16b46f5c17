import Type from 'typebox';
import type { Json } from '../../domain/index.ts';
import { readRaw } from '../amounts.ts';
import { endpoint, type Facts, type Params } from '../source.ts';
import { TESTNETS, testnetScope } from '../testnets.ts';

/** Most contracts that are asked about. */
const MOST_CONTRACTS = 6;
/** More is no number of transactions of one contract. */
const MOST_TRANSACTIONS = 10_000_000_000n;

/** Base URLs of the test networks, by name. */
export const TESTNET_BASES: Readonly<Record<string, string>> = Object.fromEntries(
  TESTNETS.map((row) => [row.name, `https://${row.blockscoutHost}/api/v2`]),
);

export const testnetEndpoint = endpoint({
  name: 'testnet_contract',
  doc: 'GET /api/v2/addresses/{address}/counters on a test network: transactions_count, as a string. Of contracts that a project without a token links on its own pages. https://docs.blockscout.com/api-reference/get-address-counters',
  plan,
  request: (params) => ({ base: String(params.testnet), path: `/addresses/${String(params.address)}/counters` }),
  reply: Type.Object({ transactions_count: Type.String({ maxLength: 30 }) }),
  observe: (reply, params) => {
    const count = readRaw(reply.transactions_count);
    return count === null || count > MOST_TRANSACTIONS
      ? []
      : [
          {
            quantity: 'testnet_transactions',
            scope: testnetScope({ testnet: String(params.testnet), address: String(params.address) }),
            value: Number(count),
            meaning: 'transactions_count: transactions from or to the address since it exists',
          },
        ];
  },
});

/** The contracts that pages named, in a stable order. What a page says is checked again: it chooses an address, never a host. */
function plan({ learned, stage }: Facts): readonly Params[] {
  if (stage !== 'pre_tge') return [];
  const named = Object.keys(learned)
    .filter((key) => key.startsWith('website.testnet:'))
    .sort()
    .flatMap((key) => (Array.isArray(learned[key]) ? (learned[key] as readonly Json[]) : []))
    .flatMap((row) => {
      const { testnet, address } = (row ?? {}) as Readonly<Record<string, Json>>;
      return typeof testnet === 'string' &&
        Object.hasOwn(TESTNET_BASES, testnet) &&
        typeof address === 'string' &&
        /^0x[0-9a-f]{40}$/.test(address)
        ? [{ testnet, address }]
        : [];
    });
  return [...new Map(named.map((row) => [testnetScope(row), row])).values()].slice(0, MOST_CONTRACTS);
}
