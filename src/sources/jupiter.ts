import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { registrableDomains } from './links.ts';
import { dated, observed } from './observations.ts';
import { onSolana } from './plans.ts';
import {
  amount,
  date,
  FlagOptional,
  fields,
  type Loose,
  LooseOptional,
  Maybe,
  num,
  positive,
  Rows,
  share,
  solanaAddress,
  TextOptional,
} from './read.ts';
import { get } from './requests.ts';
import { defineSource, endpoint, type Params } from './source.ts';
import { partsOf } from './token-records.ts';

/**
 * Jupiter tokens v2 (Solana): off unless the operator turns it on.
 *
 * Lineage: family `jupiter`, its own swap index. Terms: the API licence of October 2025 forbids combining its content with
 * content from other sources, which includes cross-checking, so the operator must decide. Limits: 0.5 a second keyless.
 * Quirks: liquidity covers about one side only (33,280 compared with 73,412 to 74,194 elsewhere for one token); `isSus` is
 * present only when flagged; revocation is read from `audit`, never from a missing key; an authority that is still active is a
 * top-level field of the row (since 2026); `createdAt` is when the index first saw the token. Checked against a recorded row.
 */
const Row = Type.Object({
  id: Type.String(),
  ...fields(TextOptional, 'mintAuthority', 'freezeAuthority', 'website'),
  ...fields(LooseOptional, 'circSupply', 'totalSupply', 'holderCount', 'fdv', 'mcap', 'usdPrice', 'liquidity'),
  firstPool: Maybe(Type.Object({ createdAt: TextOptional })),
  audit: Maybe(
    Type.Object({
      mintAuthorityDisabled: FlagOptional,
      freezeAuthorityDisabled: FlagOptional,
      topHoldersPercentage: LooseOptional,
      devBalancePercentage: LooseOptional,
    }),
  ),
  stats24h: Maybe(
    Type.Object({
      ...fields(LooseOptional, 'buyVolume', 'sellVolume', 'buyOrganicVolume'),
      ...fields(LooseOptional, 'sellOrganicVolume', 'numTraders', 'priceChange'),
    }),
  ),
  updatedAt: TextOptional,
});
const Tokens = Rows(Row);

function observe(reply: Static<typeof Tokens>, params: Params): readonly ObservationDraft[] {
  const row = partsOf(Row, reply).find((entry) => entry.id === params.address);
  if (!row) return [];
  const at = dated(row.updatedAt);
  const day = row.stats24h;
  const sum = (a: Static<typeof Loose> | undefined, b: Static<typeof Loose> | undefined) => {
    const [x, y] = [amount(a), amount(b)];
    return x !== null && y !== null ? x + y : null;
  };
  return [
    ...observed('price_usd', positive(row.usdPrice), { meaning: 'last swap, propagated', ...at }),
    ...observed('volume_24h_dex_usd', sum(day?.buyVolume, day?.sellVolume), {
      meaning: 'rolling 24 h, DEX only',
      ...at,
    }),
    ...observed('organic_volume_24h_usd', sum(day?.buyOrganicVolume, day?.sellOrganicVolume), at),
    ...observed('traders_24h', positive(day?.numTraders), { meaning: 'distinct wallets', ...at }),
    ...observed('price_change_24h_pct', num(day?.priceChange), { meaning: 'rolling 24 h', ...at }),
    ...observed('liquidity_one_sided_usd', positive(row.liquidity), { meaning: 'about one side of the pools', ...at }),
    ...observed('market_cap_usd', positive(row.mcap), at),
    ...observed('fdv_usd', positive(row.fdv), at),
    ...observed('circulating_supply', positive(row.circSupply), at),
    ...observed('total_supply', positive(row.totalSupply), at),
    ...observed('holder_count', positive(row.holderCount), at),
    ...observed('mint_authority_state', row.audit?.mintAuthorityDisabled === true ? 'none' : null, at),
    ...observed('freeze_authority_state', row.audit?.freezeAuthorityDisabled === true ? 'none' : null, at),
    ...observed('mint_authority', solanaAddress(row.mintAuthority), at),
    ...observed('freeze_authority', solanaAddress(row.freezeAuthority), at),
    ...observed('top10_share', share(row.audit?.topHoldersPercentage, 100), {
      meaning: 'top holders as Jupiter counts them',
      ...at,
    }),
    ...observed('creator_share', share(row.audit?.devBalancePercentage, 100), at),
    ...observed('first_trade_at', date(row.firstPool?.createdAt), { meaning: 'creation of the first pool' }),
    ...observed('registry_domains', [...registrableDomains([row.website])], {
      scope: 'registry:jupiter',
      tier: 'self_reported',
      reliability: 0.4,
    }),
  ];
}

export const jupiter = defineSource({
  name: 'jupiter',
  title: 'Jupiter',
  doc: 'https://dev.jup.ag/docs/tokens/v2',
  family: 'jupiter',
  tier: 'aggregator',
  reliability: 0.9,
  bases: { main: 'https://api.jup.ag' },
  key: {
    required: false,
    header: 'x-api-key',
    adds: 'requests: 60 a minute instead of 30',
    from: 'https://portal.jup.ag',
  },
  disabledReason:
    'its licence forbids combining its content with content from elsewhere (SDK and API licence of October 2025); turn it on only with their consent',
  terms: {
    attribution: { text: 'Powered by Jupiter', url: 'https://jup.ag' },
    redistribute: false,
    keepBodyDays: 0,
    note: 'no selling or sharing of content, no derivatives, no competitive analysis',
  },
  budget: { perMinute: 24, burst: 1, concurrency: 1, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: ['solana'],
  provides: { market: 15, holdings: 4 },
  endpoints: [
    endpoint({
      name: 'token',
      doc: '/tokens/v2/search?query={mint}',
      plan: onSolana,
      request: get('/tokens/v2/search', { query: '{address}' }),
      reply: Tokens,
      classify: (reply) => ({ outcome: reply.length === 0 ? 'empty' : 'ok' }),
      observe,
    }),
  ],
});
