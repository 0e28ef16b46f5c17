import Type, { type Static } from 'typebox';
import { chainsOf } from '../../chains/index.ts';
import type { ObservationDraft, QuantityId } from '../../domain/index.ts';
import { metadataDrafts, observed } from '../observations.ts';
import { tokenOn } from '../plans.ts';
import { fields, fieldsOf, LooseOptional, listIn, Maybe, positive, solanaAddress } from '../read.ts';
import { get } from '../requests.ts';
import { defineSource, endpoint } from '../source.ts';
import { tokenSecurityEndpoint } from './evm.ts';
import { classifyGoplus, flag, fraction, goplusReply, holderDrafts, rowOf } from './reply.ts';

const POWER = Maybe(
  Type.Object({
    status: LooseOptional,
    authority: Maybe(Type.Array(Type.Object({ address: LooseOptional }))),
  }),
);
const FEE = Type.Object({ fee_rate: LooseOptional });
const TOKEN = Type.Object({
  ...fields(POWER, 'mintable', 'freezable', 'closable'),
  metadata_mutable: Type.Optional(Type.Unknown()),
  ...fields(POWER, 'balance_mutable_authority', 'transfer_fee_upgradable', 'transfer_hook_upgradable'),
  ...fields(LooseOptional, 'default_account_state', 'none_transferable', 'non_transferable'),
  transfer_fee: Maybe(Type.Object({ current_fee_rate: Maybe(FEE), scheduled_fee_rate: Type.Optional(Type.Unknown()) })),
  transfer_hook: Maybe(Type.Array(Type.Unknown())),
  metadata: Maybe(Type.Object({ name: LooseOptional, symbol: LooseOptional, uri: LooseOptional })),
  creators: Maybe(Type.Array(Type.Object({ address: LooseOptional }))),
  holders: Maybe(
    Type.Array(
      Type.Object({
        ...fields(LooseOptional, 'account', 'percent', 'tag', 'is_locked'),
      }),
    ),
  ),
  holder_count: LooseOptional,
  total_supply: LooseOptional,
});
type Token = Static<typeof TOKEN>;
const REPLY = goplusReply(TOKEN);

/** Params `{address}`. The result is keyed by the mint exactly as written. */
const solanaTokenSecurityEndpoint = endpoint({
  name: 'solana_token_security',
  doc: 'GET /api/v1/solana/token_security?contract_addresses=: authorities, Token-2022 powers, holders. Fields: @goplus/sdk-node 1.1.1 (fee_rate is a ratio, "0.02" is 2 %); `holders[].account` and `holder_count` are in live replies only.',
  critical: true,
  plan: (facts) =>
    facts.chain?.names.goplus === 'solana'
      ? tokenOn('goplus')(facts).map(({ address }) => ({ address: address ?? null }))
      : [],
  request: get('/api/v1/solana/token_security', { contract_addresses: '{address}' }),
  reply: REPLY,
  classify: (reply, _meta, params) => classifyGoplus(reply, rowOf(reply.result, String(params.address)) !== null),
  observe: (reply, params) => {
    const token = rowOf<Token>(reply.result, String(params.address));
    return token === null ? [] : observeToken(token);
  },
});

function observeToken(token: Token): readonly ObservationDraft[] {
  return [
    ...authority('mint_authority_state', 'mint_authority', token.mintable, 'mintable'),
    ...authority('freeze_authority_state', 'freeze_authority', token.freezable, 'freezable'),
    ...observed('mint_close_authority', status(token.closable), 'closable'),
    ...observed('metadata_mutable', status(token.metadata_mutable), 'metadata_mutable'),
    ...observed('balance_mutable', status(token.balance_mutable_authority), 'balance_mutable_authority'),
    ...observed(
      'permanent_delegate',
      status(token.balance_mutable_authority),
      'balance_mutable_authority: on Solana that is the permanent delegate',
    ),
    ...observed(
      'transfer_hook',
      Array.isArray(token.transfer_hook) ? token.transfer_hook.length > 0 : null,
      'transfer_hook list',
    ),
    ...observed('tax_modifiable', status(token.transfer_fee_upgradable), 'transfer_fee_upgradable'),
    ...observed('default_frozen', frozen(token.default_account_state), 'default_account_state'),
    ...observed(
      'non_transferable',
      flag(token.non_transferable ?? token.none_transferable),
      'non_transferable; none_transferable in older replies',
    ),
    ...feeDrafts(token),
    ...metadataDrafts('goplus', token.metadata),
    ...observed('creator_address', solanaAddress(token.creators?.[0]?.address), 'first of creators'),
    ...observed('total_supply', positive(token.total_supply), 'total_supply, in whole tokens'),
    ...observed('holder_count', positive(token.holder_count), 'holder_count'),
    ...ownerList(token),
  ];
}

/** Rows without `account` name token accounts with unknown owners; such a list is not used. */
function ownerList(token: Token): readonly ObservationDraft[] {
  const rows = token.holders ?? [];
  return rows.some((row) => solanaAddress(row.account) === null)
    ? []
    : holderDrafts(rows, (row) => solanaAddress(row.account));
}

function authority(state: QuantityId, who: QuantityId, power: unknown, field: string): readonly ObservationDraft[] {
  const live = status(power);
  if (live === null) return [];
  if (!live) return observed(state, 'none', `${field}.status "0"`);
  const rows = (power as { readonly authority?: readonly { readonly address?: unknown }[] | null }).authority;
  return observed(who, solanaAddress(rows?.[0]?.address), `${field}.authority`);
}

function status(power: unknown): boolean | null {
  return typeof power === 'object' && power !== null ? flag((power as { readonly status?: unknown }).status) : null;
}

/** States of SPL accounts: 0 not initialised, 1 initialised, 2 frozen. */
function frozen(value: unknown): boolean | null {
  const state = String(value);
  return state === '2' ? true : state === '0' || state === '1' ? false : null;
}

/**
 * An empty object means that the mint has no fee; a missing object means nothing. A higher fee that is scheduled counts, because who buys
 * today sells under it (recorded: the schedule keeps the fee that came into force).
 */
function feeDrafts(token: Token): readonly ObservationDraft[] {
  const fee = token.transfer_fee;
  if (fee === null || fee === undefined) return [];
  const scheduled = listIn(fee.scheduled_fee_rate).map((row) => fraction(fieldsOf(row).fee_rate));
  const rates = [fraction(fee.current_fee_rate?.fee_rate), ...scheduled].filter((rate) => rate !== null);
  const isKnown = rates.length === scheduled.length + 1;
  const rate = Object.keys(fee).length === 0 ? 0 : isKnown ? Math.max(...rates) : null;
  return observed('transfer_tax', rate, 'transfer_fee: current_fee_rate, or a higher one that is scheduled; ratio');
}

/**
 * GoPlus token security, EVM and Solana.
 *
 * Lineage: own source analysis and simulation; family `goplus` (also the origin of CoinMarketCap's security fields).
 * Terms: keyless at about 30 calls a minute (common practice of integrators; not documented). No terms for redistribution
 * were found, so raw values are not passed on, bodies are kept for a month, and the source is named.
 * Quirks: values are the strings "0" and "1"; a missing key and "" mean unknown, never "0" (recorded: CAKE without
 * taxes while `is_in_dex` is "1"); taxes and percents are fractions ("0.1" is 10 %); without source code, or behind a proxy,
 * there are no other findings; EVM results are keyed by the lower-case address, Solana results by the exact mint; `{}` means
 * "not indexed"; over the limit the reply is HTTP 200 with code 4029; `holder_count` may be "0" for a token that has holders;
 * holder rows on Solana are token accounts, so they are summed by owner. Facts are used; verdicts and scores are not.
 */
export const goplus = defineSource({
  name: 'goplus',
  title: 'GoPlus Security',
  doc: 'https://docs.gopluslabs.io/',
  family: 'goplus',
  tier: 'aggregator',
  reliability: 0.8,
  bases: { main: 'https://api.gopluslabs.io' },
  terms: {
    attribution: { text: 'Security data by GoPlus', url: 'https://gopluslabs.io' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'No terms for redistribution found: the source is named, raw replies are not passed on.',
  },
  budget: { perMinute: 28, burst: 2, concurrency: 2, shareSeconds: 60 },
  timeoutMs: 10_000,
  chains: chainsOf('goplus'),
  provides: {
    holdings: 2,
    names: 7,
    holders: 2,
    scanners: 1,
    liquidity_locks: 2,
    verified_code: 3,
    proxies: 2,
    creators: 2,
  },
  endpoints: [tokenSecurityEndpoint, solanaTokenSecurityEndpoint],
});
