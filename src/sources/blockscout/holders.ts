import Type from 'typebox';
import { EVM_BURN_ADDRESSES } from '../../chains/index.ts';
import { readRaw, sharePctOf } from '../amounts.ts';
import { text } from '../read.ts';
import { endpoint } from '../source.ts';
import { FLAG, plan, TEXT } from './shape.ts';

const HOLDERS = Type.Object({
  items: Type.Array(
    Type.Object({
      value: Type.String(),
      address: Type.Object({
        hash: Type.String(),
        is_contract: FLAG,
        name: TEXT,
        public_tags: Type.Optional(
          Type.Union([Type.Null(), Type.Array(Type.Object({ display_name: TEXT, label: TEXT }))]),
        ),
        metadata: Type.Optional(
          Type.Union([
            Type.Null(),
            Type.Object({ tags: Type.Optional(Type.Array(Type.Object({ name: TEXT, tagType: TEXT }))) }),
          ]),
        ),
      }),
    }),
  ),
});

export const holdersEndpoint = endpoint({
  name: 'holders',
  doc: 'GET /api/v2/tokens/{address}/holders: the 50 largest, one page. Balances are raw strings. https://docs.blockscout.com/api-reference/get-token-holders',
  critical: true,
  plan: (facts) => {
    const supply = facts.learned['blockscout.supply'];
    return typeof supply === 'string' ? plan(facts).map((params) => ({ ...params, supply })) : [];
  },
  request: (params) => ({ base: String(params.base), path: `/tokens/${String(params.token)}/holders` }),
  reply: HOLDERS,
  classify: (reply) => (reply.items.length === 0 ? { outcome: 'empty' } : { outcome: 'ok' }),
  observe: (reply, params) => {
    const supply = readRaw(params.supply);
    if (supply === null) return [];
    const rows = reply.items.flatMap(({ value, address }) => {
      const raw = readRaw(value);
      const sharePct = raw === null ? null : sharePctOf(raw, supply);
      if (sharePct === null || !/^0x[0-9a-fA-F]{40}$/.test(address.hash)) return [];
      const label =
        text(address.public_tags?.[0]?.display_name, 60) ??
        text(nameTag(address.metadata?.tags), 60) ??
        text(address.name, 60);
      const owner = address.hash.toLowerCase();
      const kind = EVM_BURN_ADDRESSES.includes(owner) ? 'burn' : null;
      return [
        {
          owner,
          sharePct,
          ...(kind === null ? {} : { kind }),
          ...(label === null ? {} : { label }),
          ...(typeof address.is_contract === 'boolean' ? { isContract: address.is_contract } : {}),
        },
      ];
    });
    return rows.length === 0
      ? []
      : [{ quantity: 'top_holders', value: rows, meaning: 'the 50 largest addresses, share of total supply' }];
  },
});

function nameTag(
  tags: readonly { readonly name?: string | null; readonly tagType?: string | null }[] | undefined,
): string | null {
  return tags?.find((tag) => tag.tagType === 'name')?.name ?? null;
}
