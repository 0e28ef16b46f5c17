import Type, { type Static } from 'typebox';
import { chainsOf } from '../chains/index.ts';
import type { ObservationDraft } from '../domain/index.ts';
import { observed } from './observations.ts';
import { contractOn } from './plans.ts';
import { evmAddress, FlagOptional, fields, flag, Maybe, TextOptional } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint } from './source.ts';

const Resolution = Maybe(
  Type.Object({
    isProxy: FlagOptional,
    proxyType: TextOptional,
    implementations: Maybe(Type.Array(Type.Object({ address: Type.Optional(Type.String()) }))),
  }),
);

const contract = endpoint({
  name: 'contract',
  doc: 'GET /v2/contract/{chainId}/{address}?fields=proxyResolution: match is exact_match, match or null; 404 when nobody published the source here. https://docs.sourcify.dev/docs/api/',
  plan: contractOn('sourcify'),
  request: get('/v2/contract/{+chainId}/{+address}', { fields: 'proxyResolution' }),
  reply: Type.Object({
    ...fields(TextOptional, 'address', 'match', 'runtimeMatch'),
    proxyResolution: Resolution,
  }),
  about: { param: 'address', named: (reply) => reply.address },
  observe: (reply) => [...matchDrafts(reply.match ?? reply.runtimeMatch), ...proxyDrafts(reply.proxyResolution)],
});

/** Null is not observed as false, because another verifier may have the source. */
function matchDrafts(match: string | null | undefined): readonly ObservationDraft[] {
  const isMatch = match === 'exact_match' || match === 'match';
  return observed(
    'source_verified',
    isMatch ? true : null,
    match === 'match' ? 'compiles to the same code except for its metadata' : 'compiles to exactly the same code',
  );
}

/** A minimal clone cannot change its target. */
const FIXED = /1167|minimal|clone/i;
/** A call to an address in the code, which alone does not show whether the code can be replaced. */
const CALLS_FIXED = 'FixedProxy';

function proxyDrafts(found: Static<typeof Resolution> | undefined): readonly ObservationDraft[] {
  const isProxy = flag(found?.isProxy);
  if (!found || isProxy === null || found.proxyType === CALLS_FIXED) return [];
  return [
    ...observed(
      'is_proxy',
      isProxy && !FIXED.test(found.proxyType ?? ''),
      isProxy ? 'proxyResolution found a proxy' : 'proxyResolution found none by code and slots',
      { reliability: 0.8 },
    ),
    ...observed(
      'proxy_implementation',
      isProxy ? evmAddress(found.implementations?.[0]?.address) : null,
      'proxyResolution',
    ),
  ];
}

/**
 * Sourcify: open verification of EVM source code.
 *
 * Lineage: own compilation compared with the code on chain; family `sourcify`, tier registry.
 * Terms: keyless and open; `fields=all` is expensive for the service, so only one field is requested.
 * Quirks: `match` is `exact_match`, `match` (metadata differs) or null; 404 only means not verified at Sourcify.
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
  provides: { verified_code: 1 },
  endpoints: [contract],
});
