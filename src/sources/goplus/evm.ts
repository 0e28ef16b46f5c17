import Type, { type Static } from 'typebox';
import { ZERO_ADDRESS } from '../../chains/index.ts';
import type { Json, ObservationDraft } from '../../domain/index.ts';
import { contractOn } from '../on-chain.ts';
import { positive } from '../read.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { liquidityDrafts } from './liquidity.ts';
import { classifyGoplus, holderDrafts, LOOSE, rowOf } from './reply.ts';
import { flag, fraction, said } from './values.ts';

const HOLDER = Type.Object({
  address: Type.String(),
  percent: LOOSE,
  tag: LOOSE,
  is_contract: LOOSE,
  is_locked: LOOSE,
});
const LP_HOLDER = Type.Object({
  ...HOLDER.properties,
  NFT_list: Type.Optional(Type.Unknown()),
  locked_detail: Type.Optional(Type.Unknown()),
});
const TOKEN = Type.Object({
  holders: Type.Optional(Type.Union([Type.Null(), Type.Array(HOLDER)])),
  lp_holders: Type.Optional(Type.Union([Type.Null(), Type.Array(LP_HOLDER)])),
  fake_token: Type.Optional(Type.Union([Type.Null(), Type.Object({ value: LOOSE })])),
});
/** Every other field is a string, or absent; each is read leniently where it is used. */
type Token = Static<typeof TOKEN> & Readonly<Record<string, unknown>>;

const REPLY = Type.Object({
  code: Type.Number(),
  message: Type.Optional(Type.String()),
  result: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), TOKEN)])),
});

/** Params `{chain, chainId, address}`. Learns `goplus.powers`: which powers the code gives somebody. */
export const tokenSecurityEndpoint: Endpoint = endpoint({
  name: 'token_security',
  doc: 'GET /api/v1/token_security/{chain_id}?contract_addresses=: source analysis, taxes, holders, LP holders. Fields: @goplus/sdk-node 1.1.1 and a recorded reply; https://docs.gopluslabs.io/reference/api-overview',
  critical: true,
  plan: (facts) =>
    typeof facts.chain?.names.goplus === 'number'
      ? contractOn('goplus')(facts).map((params) => ({ chain: facts.chain?.name ?? null, ...params }))
      : [],
  request: (params) => ({
    path: `/api/v1/token_security/${String(params.chainId)}`,
    query: { contract_addresses: String(params.address) },
  }),
  reply: REPLY,
  classify: (reply, _meta, params) => classifyGoplus(reply, tokenAt(reply, params.address) !== null),
  observe: (reply, params) => {
    const token = tokenAt(reply, params.address);
    return token === null ? [] : observeToken(token, String(params.address));
  },
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const token = tokenAt(reply, params.address);
    if (token === null) return {};
    const creator = evmAddress(token.creator_address);
    const powers = { 'goplus.powers': { mint: flag(token.is_mintable), freeze: freezable(token) } };
    return creator === null ? powers : { ...powers, 'goplus.creator': creator };
  },
});

function tokenAt(reply: Static<typeof REPLY>, address: unknown): Token | null {
  return rowOf<Token>(reply.result, String(address).toLowerCase());
}

/** Blocking an address and pausing everything both stop a holder; both must be ruled out. */
function freezable(token: Token): boolean | null {
  const blocks = flag(token.is_blacklisted);
  const pauses = flag(token.transfer_pausable);
  if (blocks === true || pauses === true) return true;
  return blocks === false && pauses === false ? false : null;
}

function observeToken(token: Token, asset: string): readonly ObservationDraft[] {
  const open = flag(token.is_open_source);
  const analysed = 'source analysis by GoPlus';
  return [
    ...said('source_verified', open, 'is_open_source'),
    ...said('is_proxy', flag(token.is_proxy), 'is_proxy'),
    // Without source, and behind a proxy, GoPlus stops looking: a "0" there would not be a finding.
    ...(open === true && flag(token.is_proxy) !== true ? codeDrafts(token, analysed) : []),
    ...said('honeypot', flag(token.is_honeypot), 'is_honeypot'),
    ...said('cannot_sell_all', flag(token.cannot_sell_all), 'cannot_sell_all'),
    ...taxDrafts(token),
    ...ownerDrafts(token),
    ...onlyTrue('airdrop_scam', flag(token.is_airdrop_scam)),
    ...onlyTrue('fake_token', flag(token.is_true_token) === false || flag(token.fake_token?.value) === true),
    ...said('total_supply', positive(token.total_supply), 'total_supply, in whole tokens'),
    // A recorded reply says "0" holders for a token with a supply: not counted is not none.
    ...said('holder_count', positive(token.holder_count), 'holder_count'),
    ...holderDrafts(token.holders ?? [], (row) => row.address.toLowerCase()),
    ...liquidityDrafts(token, asset),
  ];
}

function codeDrafts(token: Token, meaning: string): readonly ObservationDraft[] {
  const mintable = flag(token.is_mintable);
  return [
    ...said(
      'mint_authority_state',
      mintable === false ? 'none' : null,
      'is_mintable "0": no mint function in the source',
    ),
    ...said(
      'freeze_authority_state',
      freezable(token) === false ? 'none' : null,
      'neither a blacklist nor a pause in the source',
    ),
    ...said('transfer_pausable', flag(token.transfer_pausable), meaning),
    ...said('blacklist_function', flag(token.is_blacklisted), meaning),
    ...said('whitelist_function', flag(token.is_whitelisted), meaning),
    ...said('trading_cooldown', flag(token.trading_cooldown), meaning),
    ...said('balance_mutable', flag(token.owner_change_balance), meaning),
    ...said('hidden_owner', flag(token.hidden_owner), meaning),
    ...said('ownership_reclaimable', flag(token.can_take_back_ownership), meaning),
    ...said('self_destruct', flag(token.selfdestruct), meaning),
    ...said('external_call', flag(token.external_call), meaning),
    ...said(
      'tax_modifiable',
      either(flag(token.slippage_modifiable), flag(token.personal_slippage_modifiable)),
      'slippage_modifiable or personal_slippage_modifiable',
    ),
  ];
}

function taxDrafts(token: Token): readonly ObservationDraft[] {
  return [
    ...said('buy_tax', fraction(token.buy_tax), 'simulated by GoPlus, fraction'),
    // "1" also stands for a token that cannot be sold at all.
    ...said('sell_tax', fraction(token.sell_tax), 'simulated by GoPlus, fraction; 1 is all or unsellable'),
    ...said('transfer_tax', fraction(token.transfer_tax), 'simulated by GoPlus, fraction'),
  ];
}

function ownerDrafts(token: Token): readonly ObservationDraft[] {
  const owner = evmAddress(token.owner_address);
  const creator = evmAddress(token.creator_address);
  return [
    ...(owner === ZERO_ADDRESS
      ? said('owner_state', 'none', 'owner_address is the zero address')
      : said('owner_address', owner, 'owner_address')),
    ...said('creator_address', creator, 'creator_address: who sent the deployment, possibly a factory'),
    ...said(
      'creator_share',
      creator === null ? null : fraction(token.creator_percent),
      "creator_percent: the creator's own balance only",
    ),
  ];
}

function evmAddress(value: unknown): string | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : null;
}

function either(a: boolean | null, b: boolean | null): boolean | null {
  if (a === true || b === true) return true;
  return a === null || b === null ? null : false;
}

/** Fields that mean something only when they are set. */
function onlyTrue(quantity: 'airdrop_scam' | 'fake_token', value: boolean | null): readonly ObservationDraft[] {
  return said(quantity, value === true ? true : null, 'named so by GoPlus; silence is no clean bill');
}
