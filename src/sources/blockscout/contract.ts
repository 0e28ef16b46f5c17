import Type from 'typebox';
import { text } from '../read.ts';
import { endpoint } from '../source.ts';
import { FLAG, plan, TEXT } from './shape.ts';

export const contractEndpoint = endpoint({
  name: 'smart_contract',
  doc: 'GET /api/v2/smart-contracts/{address}: is_verified, proxy_type, implementations. https://docs.blockscout.com/api-reference/get-smart-contract',
  plan,
  request: (params) => ({ base: String(params.base), path: `/smart-contracts/${String(params.token)}` }),
  reply: Type.Object({
    is_verified: FLAG,
    is_changed_bytecode: FLAG,
    proxy_type: TEXT,
    implementations: Type.Optional(
      Type.Union([Type.Null(), Type.Array(Type.Object({ address: TEXT, address_hash: TEXT }))]),
    ),
  }),
  observe: (reply) => {
    const verified = reply.is_changed_bytecode === true ? false : reply.is_verified;
    const implementation = reply.implementations?.[0]?.address_hash ?? reply.implementations?.[0]?.address ?? '';
    // A clone forwards for good, `unknown` is a guess; the other types can be upgraded.
    const upgradable = typeof reply.proxy_type === 'string' && UPGRADABLE.test(reply.proxy_type);
    return [
      ...(typeof verified === 'boolean'
        ? [
            {
              quantity: 'source_verified' as const,
              value: verified,
              meaning: 'is_verified, and the bytecode has not changed since',
            },
          ]
        : []),
      ...(upgradable
        ? [
            {
              quantity: 'is_proxy' as const,
              value: true,
              meaning: `proxy_type ${text(reply.proxy_type, 40) ?? ''}`,
            },
          ]
        : []),
      ...(/^0x[0-9a-fA-F]{40}$/.test(implementation)
        ? [
            {
              quantity: 'proxy_implementation' as const,
              value: implementation.toLowerCase(),
              meaning: 'first of implementations',
            },
          ]
        : []),
    ];
  },
});

const UPGRADABLE =
  /^(eip1967|eip1967_oz|eip1967_beacon|eip1822|eip930|basic_implementation|basic_get_implementation|comptroller)$/;
