import Type from 'typebox';
import { observed } from '../observations.ts';
import { num, TextOptional } from '../read.ts';
import { get } from '../requests.ts';
import type { Endpoint } from '../source.ts';
import { held, operatorsEndpoint } from './endpoints.ts';
import { CONSENSUS_CHAINS, type ConsensusChainName, operator } from './operators.ts';

const NAMES = (Object.keys(CONSENSUS_CHAINS) as ConsensusChainName[]).filter(
  (name) => CONSENSUS_CHAINS[name].lcd !== undefined,
);

/** Hosts of the chains built with the Cosmos SDK (cosmos/chain-registry, apis.rest). */
export const COSMOS_BASES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.map((name) => [name, CONSENSUS_CHAINS[name].lcd ?? '']),
);

const Validators = Type.Object({
  validators: Type.Array(
    Type.Object({
      operator_address: Type.String(),
      tokens: Type.String(),
      status: Type.Union([Type.String(), Type.Number()]),
    }),
  ),
  pagination: Type.Object({ next_key: TextOptional }),
});

const BONDED = 'BOND_STATUS_BONDED';

function lcd(chain: ConsensusChainName): readonly Endpoint[] {
  return [
    ...operatorsEndpoint({
      chain,
      doc: '/cosmos/staking/v1beta1/validators?status=BOND_STATUS_BONDED: tokens by validator (cosmos-sdk, x/staking)',
      maxBytes: 8 * 1024 * 1024,
      request: get('/cosmos/staking/v1beta1/validators', { status: BONDED, 'pagination.limit': 500 }, { base: chain }),
      reply: Validators,
      read: ({ validators, pagination }) => {
        if (pagination.next_key) return 'the reply is a page of a longer list';
        if (validators.some(({ status }) => status !== BONDED)) return 'a validator of the list is not bonded';
        return { operators: validators.map((row) => operator(row.operator_address, row.tokens)) };
      },
    }),
    ...held({
      chain,
      name: `${chain}_inflation`,
      doc: '/cosmos/mint/v1beta1/inflation: issuance of a year at the rate in force; chains with their own schedule do not serve it',
      request: get('/cosmos/mint/v1beta1/inflation', undefined, { base: chain }),
      reply: Type.Object({ inflation: Type.String() }),
      okStatuses: [404, 501],
      observe: ({ inflation }) => {
        const rate = num(inflation);
        const growth = rate !== null && rate >= 0 && rate < 5 ? rate : null;
        return observed('supply_growth_365d', growth, 'rate in force, burned fees not deducted');
      },
    }),
  ];
}

export const cosmosSets: readonly Endpoint[] = NAMES.flatMap(lcd);
