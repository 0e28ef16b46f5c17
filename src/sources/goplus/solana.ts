import Type, { type Static } from 'typebox';
import type { ObservationDraft, QuantityId } from '../../domain/index.ts';
import { tokenOn } from '../on-chain.ts';
import { positive, text } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { classifyGoplus, holderDrafts, LOOSE, rowOf } from './reply.ts';
import { flag, fraction, said } from './values.ts';

const POWER = Type.Optional(
  Type.Union([
    Type.Null(),
    Type.Object({
      status: LOOSE,
      authority: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Object({ address: LOOSE }))])),
    }),
  ]),
);
const TOKEN = Type.Object({
  mintable: POWER,
  freezable: POWER,
  closable: POWER,
  metadata_mutable: Type.Optional(Type.Unknown()),
  balance_mutable_authority: POWER,
  transfer_fee_upgradable: POWER,
  transfer_hook_upgradable: POWER,
  default_account_state: LOOSE,
  none_transferable: LOOSE,
  transfer_fee: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ current_fee_rate: Type.Optional(Type.Union([Type.Null(), Type.Object({ fee_rate: LOOSE })])) }),
    ]),
  ),
  transfer_hook: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Unknown())])),
  metadata: Type.Optional(Type.Union([Type.Null(), Type.Object({ name: LOOSE, symbol: LOOSE, uri: LOOSE })])),
  creators: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Object({ address: LOOSE }))])),
  holders: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ account: LOOSE, token_account: LOOSE, percent: LOOSE, tag: LOOSE, is_locked: LOOSE })),
    ]),
  ),
  holder_count: LOOSE,
  total_supply: LOOSE,
});
type Token = Static<typeof TOKEN>;
const REPLY = Type.Object({
  code: Type.Number(),
  message: Type.Optional(Type.String()),
  result: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), TOKEN)])),
});

/** Params `{address}`. The result is keyed by the mint exactly as written. */
export const solanaTokenSecurityEndpoint: Endpoint = endpoint({
  name: 'solana_token_security',
  doc: 'GET /api/v1/solana/token_security?contract_addresses=: authorities, Token-2022 powers, holders. Fields: @goplus/sdk-node 1.1.1 (fee_rate is a ratio, "0.02" is 2 %); `holders[].account` and `holder_count` are in live replies only.',
  critical: true,
  plan: (facts) =>
    facts.chain?.names.goplus === 'solana'
      ? tokenOn('goplus')(facts).map(({ address }) => ({ address: address ?? null }))
      : [],
  request: (params) => ({
    path: '/api/v1/solana/token_security',
    query: { contract_addresses: String(params.address) },
  }),
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
    ...said('mint_close_authority', status(token.closable), 'closable'),
    ...said('metadata_mutable', status(token.metadata_mutable), 'metadata_mutable'),
    ...said('balance_mutable', status(token.balance_mutable_authority), 'balance_mutable_authority'),
    ...said(
      'permanent_delegate',
      status(token.balance_mutable_authority),
      'balance_mutable_authority: on Solana that is the permanent delegate',
    ),
    ...said(
      'transfer_hook',
      Array.isArray(token.transfer_hook) ? token.transfer_hook.length > 0 : null,
      'transfer_hook list',
    ),
    ...said('tax_modifiable', status(token.transfer_fee_upgradable), 'transfer_fee_upgradable'),
    ...said('default_frozen', frozen(token.default_account_state), 'default_account_state'),
    ...said('non_transferable', flag(token.none_transferable), 'none_transferable'),
    ...feeDrafts(token),
    ...nameDrafts(token),
    ...said('creator_address', address(token.creators?.[0]?.address), 'first of creators'),
    ...said('total_supply', positive(token.total_supply), 'total_supply, in whole tokens'),
    ...said('holder_count', positive(token.holder_count), 'holder_count'),
    ...ownerList(token),
  ];
}

/** Rows without `account` name token accounts, whose owners are not known: then the list is of no use. */
function ownerList(token: Token): readonly ObservationDraft[] {
  const rows = token.holders ?? [];
  return rows.some((row) => address(row.account) === null) ? [] : holderDrafts(rows, (row) => address(row.account));
}

function authority(state: QuantityId, who: QuantityId, power: unknown, field: string): readonly ObservationDraft[] {
  const live = status(power);
  if (live === null) return [];
  if (!live) return said(state, 'none', `${field}.status "0"`);
  const rows = (power as { readonly authority?: readonly { readonly address?: unknown }[] | null }).authority;
  return said(who, address(rows?.[0]?.address), `${field}.authority`);
}

function status(power: unknown): boolean | null {
  return typeof power === 'object' && power !== null ? flag((power as { readonly status?: unknown }).status) : null;
}

/** States of SPL accounts: 0 not initialised, 1 initialised, 2 frozen. */
function frozen(value: unknown): boolean | null {
  return value === '2' || value === 2
    ? true
    : value === '0' || value === '1' || value === 0 || value === 1
      ? false
      : null;
}

/** An empty object means that the mint has no fee; its absence means nothing. */
function feeDrafts(token: Token): readonly ObservationDraft[] {
  const fee = token.transfer_fee;
  if (fee === null || fee === undefined) return [];
  const rate = Object.keys(fee).length === 0 ? 0 : fraction(fee.current_fee_rate?.fee_rate);
  return said('transfer_tax', rate, 'transfer_fee.current_fee_rate, ratio');
}

function nameDrafts(token: Token): readonly ObservationDraft[] {
  const rows = [
    ...said('registry_name', text(token.metadata?.name, 100), 'on-chain metadata, outside text'),
    ...said('registry_symbol', text(token.metadata?.symbol, 40), 'on-chain metadata, outside text'),
    ...said('metadata_uri', text(token.metadata?.uri, 500), 'on-chain metadata, outside text'),
  ];
  return rows.map((row) => ({ ...row, scope: 'registry:goplus' }));
}

function address(value: unknown): string | null {
  return typeof value === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value) ? value : null;
}
