import Type, { type Static } from 'typebox';
import type { ObservationDraft } from '../domain/index.ts';
import { said } from './draft.ts';
import { amount, date, type Loose, LooseOptional, num, positive, registrableDomains, TextOptional } from './read.ts';
import { defineSource, endpoint, type Params } from './source.ts';

/**
 * Jupiter tokens v2 (Solana): off unless the operator turns it on.
 *
 * Lineage: family `jupiter`, its own swap index. Terms: the API licence of October 2025 forbids combining its content with
 * content got by other means, which is what cross-checking is: the operator must decide. Limits: 0.5 a second keyless.
 * Quirks: liquidity is about one side only (33,280 against 73,412 to 74,194 elsewhere for one token); `isSus` stands only
 * when flagged; revocation is read from `audit`, never from a missing key. Checked against a recorded row.
 */
const Row = Type.Object({
  id: Type.String(),
  decimals: LooseOptional,
  website: TextOptional,
  circSupply: LooseOptional,
  totalSupply: LooseOptional,
  holderCount: LooseOptional,
  fdv: LooseOptional,
  mcap: LooseOptional,
  usdPrice: LooseOptional,
  liquidity: LooseOptional,
  firstPool: Type.Optional(Type.Union([Type.Object({ createdAt: TextOptional }), Type.Null()])),
  audit: Type.Optional(
    Type.Union([
      Type.Object({
        mintAuthorityDisabled: Type.Optional(Type.Boolean()),
        freezeAuthorityDisabled: Type.Optional(Type.Boolean()),
        topHoldersPercentage: LooseOptional,
        devBalancePercentage: LooseOptional,
      }),
      Type.Null(),
    ]),
  ),
  stats24h: Type.Optional(
    Type.Union([
      Type.Object({
        buyVolume: LooseOptional,
        sellVolume: LooseOptional,
        buyOrganicVolume: LooseOptional,
        sellOrganicVolume: LooseOptional,
        numTraders: LooseOptional,
        priceChange: LooseOptional,
      }),
      Type.Null(),
    ]),
  ),
  updatedAt: TextOptional,
});
const Rows = Type.Array(Row);

function observe(reply: Static<typeof Rows>, params: Params): readonly ObservationDraft[] {
  const row = reply.find((entry) => entry.id === params.address);
  if (!row) return [];
  const updated = date(row.updatedAt);
  const at = updated ? { observedAt: updated } : {};
  const day = row.stats24h;
  const sum = (a: Static<typeof Loose> | undefined, b: Static<typeof Loose> | undefined) => {
    const [x, y] = [amount(a), amount(b)];
    return x !== null && y !== null ? x + y : null;
  };
  const share = (value: unknown) => {
    const read = num(value);
    return read !== null && read >= 0 && read <= 100 ? read / 100 : null;
  };
  return [
    ...said('price_usd', positive(row.usdPrice), { meaning: 'last swap, propagated', ...at }),
    ...said('volume_24h_dex_usd', sum(day?.buyVolume, day?.sellVolume), { meaning: 'rolling 24 h, DEX only', ...at }),
    ...said('organic_volume_24h_usd', sum(day?.buyOrganicVolume, day?.sellOrganicVolume), at),
    ...said('traders_24h', positive(day?.numTraders), { meaning: 'distinct wallets', ...at }),
    ...said('price_change_24h_pct', num(day?.priceChange), { meaning: 'rolling 24 h', ...at }),
    ...said('liquidity_one_sided_usd', positive(row.liquidity), { meaning: 'about one side of the pools', ...at }),
    ...said('market_cap_usd', positive(row.mcap), at),
    ...said('fdv_usd', positive(row.fdv), at),
    ...said('circulating_supply', positive(row.circSupply), at),
    ...said('total_supply', positive(row.totalSupply), at),
    ...said('holder_count', positive(row.holderCount), at),
    ...said('mint_authority_state', row.audit?.mintAuthorityDisabled === true ? 'none' : null, at),
    ...said('freeze_authority_state', row.audit?.freezeAuthorityDisabled === true ? 'none' : null, at),
    ...said('top10_share', share(row.audit?.topHoldersPercentage), {
      meaning: 'top holders as Jupiter counts them',
      ...at,
    }),
    ...said('creator_share', share(row.audit?.devBalancePercentage), at),
    ...said('token_created_at', date(row.firstPool?.createdAt), { meaning: 'first pool' }),
    ...said('registry_domains', [...registrableDomains([row.website])], {
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
  key: { required: false, header: 'x-api-key' },
  disabledReason:
    'its licence forbids combining its content with content from elsewhere (SDK and API licence of October 2025); turn it on only with their consent',
  terms: {
    attribution: { text: 'Powered by Jupiter', url: 'https://jup.ag' },
    redistribute: false,
    keepBodyDays: 0,
    note: 'no selling or sharing of content, no derivatives, no competitive analysis',
  },
  budget: { perMinute: 24, burst: 2, concurrency: 1, shareSeconds: 60 },
  timeoutMs: 8_000,
  chains: ['solana'],
  tells: { market: 15, holdings: 4 },
  endpoints: [
    endpoint({
      name: 'token',
      doc: '/tokens/v2/search?query={mint}',
      plan: ({ chain, address }) => (chain?.kind === 'solana' && address && address !== 'native' ? [{ address }] : []),
      request: (params) => ({ path: '/tokens/v2/search', query: { query: String(params.address) } }),
      reply: Rows,
      classify: (reply) => ({ outcome: reply.length === 0 ? 'empty' : 'ok' }),
      observe,
    }),
  ],
});
