import Type, { type Static } from 'typebox';
import { isBurnAddress } from '../../chains/index.ts';
import { exchangeCalled, type Json, type ObservationDraft } from '../../domain/index.ts';
import { kindOfTag } from '../name-tags.ts';
import { observed } from '../observations.ts';
import { contractOn } from '../plans.ts';
import { evmAddress, fields, fieldsOf, LooseOptional, Maybe, positive, text, textsIn } from '../read.ts';
import { get } from '../requests.ts';
import { type Endpoint, endpoint } from '../source.ts';
import { earliestUnlock, lockedPart } from './locks.ts';
import {
  classifyGoplus,
  exceedsSupply,
  flag,
  fraction,
  goplusReply,
  holderDrafts,
  partOfWhole,
  rowOf,
} from './reply.ts';

const HOLDER = Type.Object({
  address: Type.String(),
  ...fields(LooseOptional, 'percent', 'balance', 'tag', 'is_contract', 'is_locked'),
  locked_detail: Type.Optional(Type.Unknown()),
});
const LP_HOLDER = Type.Object({
  ...HOLDER.properties,
  NFT_list: Type.Optional(Type.Unknown()),
});
const TOKEN = Type.Object({
  holders: Maybe(Type.Array(HOLDER)),
  lp_holders: Maybe(Type.Array(LP_HOLDER)),
  fake_token: Maybe(Type.Object({ value: LooseOptional })),
});
/** Every other field is a string or absent; each is validated where it is used. */
type Token = Static<typeof TOKEN> & Readonly<Record<string, unknown>>;

const REPLY = goplusReply(TOKEN);

/** Params `{chain, chainId, address}`. Learns `goplus.powers`: the powers in the code. */
export const tokenSecurityEndpoint: Endpoint = endpoint({
  name: 'token_security',
  doc: 'GET /api/v1/token_security/{chain_id}?contract_addresses=: source analysis, taxes, holders, LP holders. Fields: @goplus/sdk-node 1.1.1 and a recorded reply; https://docs.gopluslabs.io/reference/api-overview',
  critical: true,
  plan: (facts) =>
    typeof facts.chain?.names.goplus === 'number'
      ? contractOn('goplus')(facts).map((params) => ({ chain: facts.chain?.name ?? null, ...params }))
      : [],
  request: get('/api/v1/token_security/{+chainId}', { contract_addresses: '{address}' }),
  reply: REPLY,
  classify: (reply, _meta, params) => classifyGoplus(reply, tokenAt(reply, params.address) !== null),
  observe: (reply, params, meta) => {
    const token = tokenAt(reply, params.address);
    return token === null ? [] : observeToken(token, String(params.address).toLowerCase(), Date.parse(meta.fetchedAt));
  },
  learn: (reply, params): Readonly<Record<string, Json>> => {
    const token = tokenAt(reply, params.address);
    if (token === null) return {};
    const creator = evmAddress(token.creator_address);
    const holders = (token.holders ?? []).slice(0, MOST_HOLDERS).flatMap(({ address }) => evmAddress(address) ?? []);
    return {
      'goplus.powers': { mint: flag(token.is_mintable), freeze: freezable(token) },
      ...(holders.length === 0 ? {} : { 'goplus.holders': holders }),
      ...(creator === null ? {} : { 'goplus.creator': creator }),
    };
  },
});

/** Maximum number of holders whose names other sources look up. */
const MOST_HOLDERS = 50;

function tokenAt(reply: Static<typeof REPLY>, address: unknown): Token | null {
  return rowOf<Token>(reply.result, String(address).toLowerCase());
}

/** Blocking an address and pausing the token can both stop a holder, so both must be ruled out. */
function freezable(token: Token): boolean | null {
  const blocks = flag(token.is_blacklisted);
  const pauses = flag(token.transfer_pausable);
  if (blocks === true || pauses === true) return true;
  return blocks === false && pauses === false ? false : null;
}

function observeToken(token: Token, asset: string, now: number): readonly ObservationDraft[] {
  const open = flag(token.is_open_source);
  const analysed = 'source analysis by GoPlus';
  return [
    ...observed('source_verified', open, 'is_open_source'),
    ...observed('is_proxy', flag(token.is_proxy), 'is_proxy'),
    // Without source code, or behind a proxy, GoPlus does not analyse the code, so a "0" is not a finding.
    ...(open === true && flag(token.is_proxy) !== true ? codeDrafts(token, analysed) : []),
    ...observed('honeypot', flag(token.is_honeypot), 'is_honeypot'),
    ...observed('cannot_sell_all', flag(token.cannot_sell_all), 'cannot_sell_all'),
    ...taxDrafts(token),
    ...ownerDrafts(token),
    ...exchangeDrafts(token),
    ...onlyTrue('airdrop_scam', flag(token.is_airdrop_scam)),
    ...onlyTrue('fake_token', flag(token.is_true_token) === false || flag(token.fake_token?.value) === true),
    ...observed('total_supply', positive(token.total_supply), 'total_supply, in whole tokens'),
    // A recorded reply has "0" holders for a token with a supply: 0 means not counted.
    ...observed('holder_count', positive(token.holder_count), 'holder_count'),
    ...holderDrafts(
      (token.holders ?? []).map((row) => (isFree(row, now) ? { ...row, is_locked: 0 } : row)),
      (row) => row.address.toLowerCase(),
    ),
    ...observed(
      'balance_mutable',
      exceedsSupply(token.holders ?? []) || null,
      'a holder is listed with more than the total supply: units were made that it does not count',
    ),
    ...liquidityDrafts(token, asset, now),
  ];
}

/** A holder that is called locked although a part of its balance is not, or no longer. */
function isFree(row: Static<typeof HOLDER>, now: number): boolean {
  return flag(row.is_locked) === true && lockedPart(row, now) < 1;
}

function codeDrafts(token: Token, meaning: string): readonly ObservationDraft[] {
  const mintable = flag(token.is_mintable);
  return [
    ...observed(
      'mint_authority_state',
      mintable === false ? 'none' : null,
      'is_mintable "0": no mint function in the source',
    ),
    ...observed(
      'freeze_authority_state',
      freezable(token) === false ? 'none' : null,
      'neither a blacklist nor a pause in the source',
    ),
    ...observed('transfer_pausable', flag(token.transfer_pausable), meaning),
    ...observed('blacklist_function', flag(token.is_blacklisted), meaning),
    ...observed('whitelist_function', flag(token.is_whitelisted), meaning),
    ...observed('trading_cooldown', flag(token.trading_cooldown), meaning),
    ...observed(
      'balance_mutable',
      exceedsSupply(token.holders ?? []) ? null : flag(token.owner_change_balance),
      meaning,
    ),
    ...observed('hidden_owner', flag(token.hidden_owner), meaning),
    ...observed('ownership_reclaimable', flag(token.can_take_back_ownership), meaning),
    ...observed('self_destruct', flag(token.selfdestruct), meaning),
    ...observed('external_call', flag(token.external_call), meaning),
    ...observed(
      'tax_modifiable',
      either(flag(token.slippage_modifiable), flag(token.personal_slippage_modifiable)),
      'slippage_modifiable or personal_slippage_modifiable',
    ),
  ];
}

/** If a purchase could not be simulated (`cannot_buy`), taxes are "1" but were not measured. */
function taxDrafts(token: Token): readonly ObservationDraft[] {
  const blocked = flag(token.cannot_buy) === true;
  const tax = (value: unknown) => {
    const read = fraction(value);
    return blocked && read === 1 ? null : read;
  };
  return [
    ...observed('buy_tax', tax(token.buy_tax), 'simulated by GoPlus, fraction'),
    // "1" also means a token that cannot be sold at all.
    ...observed('sell_tax', tax(token.sell_tax), 'simulated by GoPlus, fraction; 1 is all or unsellable'),
    ...observed('transfer_tax', fraction(token.transfer_tax), 'simulated by GoPlus, fraction'),
  ];
}

/** Maximum number of exchanges that are read for a token. */
const MOST_EXCHANGES = 50;

/** Exchanges that list the token, by name only: no market is given, and "0" does not mean that exchanges were searched. */
function exchangeDrafts(token: Token): readonly ObservationDraft[] {
  const { listed, cex_list: named } = fieldsOf(token.is_in_cex as Json);
  const names = flag(listed) === true ? textsIn(named).slice(0, MOST_EXCHANGES) : [];
  const exchanges = [...new Set(names.flatMap((name) => exchangeCalled('coingecko', name) ?? []))].sort();
  return observed('named_exchanges', exchanges.length === 0 ? null : exchanges, 'is_in_cex: exchanges by name');
}

function ownerDrafts(token: Token): readonly ObservationDraft[] {
  const owner = evmAddress(token.owner_address);
  const creator = evmAddress(token.creator_address);
  return [
    ...(owner !== null && isBurnAddress(owner)
      ? observed('owner_state', 'none', 'owner_address is an address without a known key')
      : observed('owner_address', owner, 'owner_address')),
    ...observed('creator_address', creator, 'creator_address: who sent the deployment, possibly a factory'),
    ...observed(
      'creator_share',
      creator === null ? null : fraction(token.creator_percent),
      "creator_percent: the creator's own balance only",
    ),
    // "0" is not a finding: it does not mean that the creator's tokens were checked.
    ...observed(
      'creator_dead_tokens_count',
      positive(token.honeypot_with_same_creator),
      'honeypot_with_same_creator: other honeypots of the creator',
    ),
  ];
}

function either(a: boolean | null, b: boolean | null): boolean | null {
  if (a === true || b === true) return true;
  return a === null || b === null ? null : false;
}

/** Observes fields that are meaningful only when set. */
function onlyTrue(quantity: 'airdrop_scam' | 'fake_token', value: boolean | null): readonly ObservationDraft[] {
  return observed(
    quantity,
    value === true ? true : null,
    'stated by GoPlus; the absence of a statement proves nothing',
  );
}

type LpHolder = Static<typeof LP_HOLDER>;

/**
 * Holders of the LP tokens of the token's main pair (EVM). Rows with an `NFT_list` are positions of a concentrated pool:
 * of those only a majority that can be taken out is observed (`positionDrafts`). Only the ten largest holders are listed,
 * so locked shares are lower bounds. Of a lock counts what is locked beyond `now` (milliseconds), whatever `is_locked` is.
 */
export function liquidityDrafts(
  token: {
    readonly lp_holders?: readonly LpHolder[] | null;
    readonly creator_address?: unknown;
    readonly owner_address?: unknown;
  },
  asset: string,
  now: number,
): readonly ObservationDraft[] {
  const rows = token.lp_holders ?? [];
  const shares = rows.map((row) => partOfWhole(row.percent));
  if (rows.length === 0 || shares.some((share) => share === null)) return [];
  const concentrated = rows.some((row) => Array.isArray(row.NFT_list) && row.NFT_list.length > 0);
  const sum = (wanted: (row: LpHolder) => boolean | number) =>
    Math.min(
      1,
      rows.reduce((total, row, at) => total + Number(wanted(row)) * (shares[at] ?? 0), 0),
    );
  const insiders = new Set(
    [token.creator_address, token.owner_address].flatMap((value) =>
      typeof value === 'string' && value !== '' && !isBurnAddress(value.toLowerCase()) ? [value.toLowerCase()] : [],
    ),
  );
  const burned = (row: LpHolder) => isBurnAddress(row.address.toLowerCase()) || kindOfTag(text(row.tag, 60)) === 'burn';
  const parts = new Map(rows.map((row) => [row, burned(row) ? 1 : lockedPart(row, now)]));
  const partOf = (row: LpHolder) => parts.get(row) ?? 0;
  const lockers = rows.filter((row) => partOf(row) > 0 && !burned(row));
  const meaning = 'LP of the main pair, ten largest holders';
  const isOther = ({ address }: LpHolder) => !insiders.has(address.toLowerCase()) && address.toLowerCase() !== asset;
  const others = rows.flatMap((row, at) => (isOther(row) && partOf(row) === 0 ? [shares[at] ?? 0] : []));
  const isPlain = (row: LpHolder) => flag(row.is_contract) === false && text(row.tag, 60) === null;
  const wallets = rows
    .flatMap((row, at) => (isOther(row) && isPlain(row) ? [(shares[at] ?? 0) * (1 - partOf(row))] : []))
    .sort((a, b) => b - a);
  const isInsider = ({ address }: LpHolder) => insiders.has(address.toLowerCase()) && address.toLowerCase() !== asset;
  if (concentrated)
    return positionDrafts(insiders.size === 0 ? null : sum((row) => isInsider(row) && 1 - partOf(row)), wallets);
  const own = sum((row) => row.address.toLowerCase() === asset);
  const held = own > 0 ? `; the token's own contract holds ${(own * 100).toFixed(1)} %` : '';
  return [
    ...observed('lp_locked_share', sum(partOf), `locked or burned ${meaning}${held}`),
    ...observed('lp_burned_share', sum(burned), `burned ${meaning}`),
    ...observed('lp_creator_share', insiders.size === 0 ? null : sum(isInsider), `creator or owner, ${meaning}`),
    ...observed('lp_second_provider_share', others.sort((a, b) => b - a)[1] ?? 0, `second of the others, ${meaning}`),
    ...walletDrafts(wallets, meaning),
    ...observed('lp_unlock_at', earliestUnlock(lockers, now), 'earliest end_time ahead of the locks listed'),
    ...observed(
      'lp_locker_known',
      lockers.length === 0 ? null : lockers.every((row) => text(row.tag, 60) !== null),
      'GoPlus names the lock contract',
    ),
  ];
}

/** Share of the positions from which they are observed. */
const MOST_OF_POSITIONS = 0.5;

/**
 * Positions of a concentrated pool that the creator, and up to three plain wallets without a name, can take out, where
 * these are most of it. A smaller share is not observed: positions outside the range count by their value, and of the token's own
 * units they cost nothing, so that they can make any share of others, or any locked share.
 */
function positionDrafts(creator: number | null, wallets: readonly number[]): readonly ObservationDraft[] {
  if ((creator ?? 0) + sumOfFirst(wallets, 3) < MOST_OF_POSITIONS) return [];
  const meaning = 'free positions of the main pair, a concentrated pool; ten largest holders';
  return [...observed('lp_creator_share', creator, `creator or owner, ${meaning}`), ...walletDrafts(wallets, meaning)];
}

/** `wallets`: shares of the plain wallets without a name, the largest first. */
function walletDrafts(wallets: readonly number[], meaning: string): readonly ObservationDraft[] {
  const of = `of the plain wallets without a name, ${meaning}`;
  return [
    ...observed('lp_wallet_share', wallets[0] ?? 0, `largest ${of}`),
    ...observed('lp_top3_wallets_share', Math.min(1, sumOfFirst(wallets, 3)), `three largest ${of}`),
  ];
}

const sumOfFirst = (shares: readonly number[], many: number) =>
  shares.slice(0, many).reduce((sum, share) => sum + share, 0);
