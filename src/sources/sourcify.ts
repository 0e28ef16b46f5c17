import Type from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { contractOn } from './on-chain.ts';
import { defineSource, endpoint } from './source.ts';

const REPLY = Type.Object({
  match: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  runtimeMatch: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  proxyResolution: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        isProxy: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        proxyType: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        implementations: Type.Optional(
          Type.Union([Type.Null(), Type.Array(Type.Object({ address: Type.Optional(Type.String()) }))]),
        ),
      }),
    ]),
  ),
});

const contract = endpoint({
  name: 'contract',
  doc: 'GET /v2/contract/{chainId}/{address}?fields=proxyResolution: match is exact_match, match or null; 404 when nobody published the source here. https://docs.sourcify.dev/docs/api/',
  plan: contractOn('sourcify'),
  request: (params) => ({
    path: `/v2/contract/${String(params.chainId)}/${String(params.address)}`,
    query: { fields: 'proxyResolution' },
  }),
  reply: REPLY,
  observe: (reply) => [...matchDrafts(reply.match ?? reply.runtimeMatch), ...proxyDrafts(reply.proxyResolution)],
});

/** Null is not observed as false: another verifier may hold the source. */
function matchDrafts(match: string | null | undefined): readonly ObservationDraft[] {
  if (match !== 'exact_match' && match !== 'match') return [];
  return [
    {
      quantity: 'source_verified',
      value: true,
      meaning: match === 'match' ? 'compiles to the same code but for its metadata' : 'compiles to the very same code',
    },
  ];
}

interface Resolution {
  readonly isProxy?: boolean | null;
  readonly proxyType?: string | null;
  readonly implementations?: readonly { readonly address?: string }[] | null;
}

/** A minimal clone cannot change what it forwards to. */
const FIXED = /1167|minimal|clone/i;

function proxyDrafts(found: Resolution | null | undefined): readonly ObservationDraft[] {
  if (!found || typeof found.isProxy !== 'boolean') return [];
  const implementation = found.implementations?.[0]?.address ?? '';
  const replaceable = found.isProxy && !FIXED.test(found.proxyType ?? '');
  return [
    {
      quantity: 'is_proxy',
      value: replaceable,
      reliability: 0.8,
      meaning: found.isProxy ? 'proxyResolution found a proxy' : 'proxyResolution found none by code and slots',
    },
    ...(found.isProxy && /^0x[0-9a-fA-F]{40}$/.test(implementation)
      ? [{ quantity: 'proxy_implementation' as const, value: implementation.toLowerCase(), meaning: 'proxyResolution' }]
      : []),
  ];
}

/**
 * Sourcify: open verification of EVM source code.
 *
 * Lineage: own compilation against the code on chain; family `sourcify`, tier registry.
 * Terms: keyless and open; `fields=all` is expensive for them, so only one field is asked for.
 * Quirks: `match` is `exact_match`, `match` (metadata differs) or null; 404 only means that nobody verified it here.
 */
export const sourcify = defineSource({
  name: 'sourcify',
  title: 'Sourcify',
  doc: 'https://docs.sourcify.dev/docs/api/',
  family: 'sourcify',
  tier: 'registry',
  reliability: 0.95,
  bases: { main: 'https://sourcify.dev/server' },
  terms: {
    attribution: { text: 'Source verification by Sourcify', url: 'https://sourcify.dev' },
    redistribute: true,
    keepBodyDays: null,
    note: 'Open data.',
  },
  budget: { perMinute: 60, burst: 5, concurrency: 2, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: chainsOf('sourcify'),
  tells: { verified_code: 1 },
  endpoints: [contract],
});
