import Type from 'typebox';
import { chainsOf } from '../chains/index.ts';
import { observed } from './observations.ts';
import { contractOn } from './plans.ts';
import { evmAddress, fields } from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint } from './source.ts';

const ROW = Type.Object({
  ...fields(Type.Optional(Type.String()), 'SourceCode', 'Proxy', 'Implementation'),
});

const sourceCode = endpoint({
  name: 'source_code',
  doc: 'GET /v2/api?chainid=&module=contract&action=getsourcecode&address=. https://docs.etherscan.io/api-reference/endpoint/getsourcecode',
  plan: contractOn('etherscan'),
  request: get('/v2/api', {
    chainid: '{chainId}',
    module: 'contract',
    action: 'getsourcecode',
    address: '{address}',
  }),
  reply: Type.Object({
    status: Type.String(),
    result: Type.Union([Type.String(), Type.Array(ROW)]),
  }),
  classify: ({ status, result }) => {
    if (status === '1' && Array.isArray(result)) return result.length === 0 ? { outcome: 'empty' } : { outcome: 'ok' };
    const text = typeof result === 'string' ? result.slice(0, 120) : 'no reason given';
    return { outcome: /rate limit/i.test(text) ? 'rate_limited' : 'error_reply', detail: text };
  },
  observe: ({ result }) => {
    const row = Array.isArray(result) ? result[0] : undefined;
    if (row === undefined) return [];
    return [
      ...observed(
        'source_verified',
        row.SourceCode === undefined ? null : row.SourceCode !== '',
        'source code is published',
      ),
      // Etherscan sets the mark by hand or by a heuristic; an empty mark is not a finding.
      ...observed('is_proxy', row.Proxy === '1' ? true : null, 'marked as a proxy', { reliability: 0.7 }),
      ...observed('proxy_implementation', evmAddress(row.Implementation), 'Implementation'),
    ];
  },
});

/**
 * Etherscan v2, off without a key.
 *
 * Lineage: own verification of source code; family `etherscan`, tier registry.
 * Terms: a free key allows 3 requests a second on some of the chains (not BSC, Base, Optimism, Avalanche); holder lists
 * require a paid plan. https://docs.etherscan.io/resources/rate-limits
 * Quirks: errors are HTTP 200 with status "0" and the reason in `result`; an unverified contract has an empty SourceCode.
 */
export const etherscan = defineSource({
  name: 'etherscan',
  title: 'Etherscan',
  doc: 'https://docs.etherscan.io/',
  family: 'etherscan',
  tier: 'registry',
  reliability: 0.9,
  bases: { main: 'https://api.etherscan.io' },
  key: {
    required: true,
    query: 'apikey',
    adds: 'a second source of published code on EVM chains',
    from: 'https://etherscan.io/apis',
  },
  disabledReason: 'needs a key: Etherscan rejects requests without one',
  terms: {
    attribution: { text: 'Powered by Etherscan.io APIs', url: 'https://etherscan.io' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'Free plan under the terms of the key holder; attribution requested.',
  },
  budget: { perMinute: 120, burst: 1, concurrency: 2, shareSeconds: 300 },
  timeoutMs: 10_000,
  chains: chainsOf('etherscan'),
  provides: { verified_code: 4 },
  endpoints: [sourceCode],
});
