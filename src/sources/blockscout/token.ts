import Type, { type Static } from 'typebox';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { readRaw, tokensOf } from '../amounts.ts';
import { text } from '../read.ts';
import { endpoint } from '../source.ts';
import { plan, TEXT } from './shape.ts';

const TOKEN = Type.Object({
  decimals: TEXT,
  total_supply: TEXT,
  // Newer instances say holders_count, older ones holders.
  holders_count: TEXT,
  holders: TEXT,
  type: TEXT,
  name: TEXT,
  symbol: TEXT,
});

export const tokenEndpoint = endpoint({
  name: 'token',
  doc: 'GET /api/v2/tokens/{address}: supply, decimals, holders. Numbers are strings, the supply is raw. https://docs.blockscout.com/api-reference/get-token-info',
  critical: true,
  plan,
  request: (params) => ({ base: String(params.base), path: `/tokens/${String(params.token)}` }),
  reply: TOKEN,
  observe: (reply) => {
    const { supply, decimals } = amounts(reply);
    const tokens = supply === null || decimals === null ? null : tokensOf(supply, decimals);
    const holders = readRaw(reply.holders_count ?? reply.holders);
    return [
      ...(tokens === null
        ? []
        : [
            {
              quantity: 'total_supply' as const,
              value: tokens,
              meaning: 'total_supply; tokens sent to burn addresses are still in it',
            },
          ]),
      ...(decimals === null ? [] : [{ quantity: 'decimals' as const, value: decimals, meaning: 'decimals' }]),
      ...(holders === null || holders === 0n
        ? []
        : [{ quantity: 'holder_count' as const, value: Number(holders), meaning: 'addresses with a balance' }]),
      ...registryDrafts(reply),
    ];
  },
  learn: (reply): Readonly<Record<string, Json>> => {
    const { supply } = amounts(reply);
    return supply === null ? {} : { 'blockscout.supply': supply.toString() };
  },
});

function amounts(reply: Static<typeof TOKEN>): { readonly supply: bigint | null; readonly decimals: number | null } {
  const decimals = readRaw(reply.decimals);
  return {
    supply: readRaw(reply.total_supply),
    decimals: decimals !== null && decimals <= 255n ? Number(decimals) : null,
  };
}

function registryDrafts(reply: Static<typeof TOKEN>): readonly ObservationDraft[] {
  const scope = 'registry:blockscout';
  const name = text(reply.name, 100);
  const symbol = text(reply.symbol, 40);
  return [
    ...(name === null
      ? []
      : [{ quantity: 'registry_name' as const, value: name, scope, meaning: 'name() as indexed, outside text' }]),
    ...(symbol === null
      ? []
      : [{ quantity: 'registry_symbol' as const, value: symbol, scope, meaning: 'symbol() as indexed, outside text' }]),
  ];
}

export const countersEndpoint = endpoint({
  name: 'counters',
  doc: 'GET /api/v2/tokens/{address}/counters: token_holders_count, transfers_count, as strings. https://docs.blockscout.com/api-reference/get-token-counters',
  plan,
  request: (params) => ({ base: String(params.base), path: `/tokens/${String(params.token)}/counters` }),
  reply: Type.Object({ token_holders_count: TEXT }),
  observe: (reply) => {
    const count = readRaw(reply.token_holders_count);
    return count === null || count === 0n
      ? []
      : [{ quantity: 'holder_count', value: Number(count), meaning: 'token_holders_count: addresses with a balance' }];
  },
});
