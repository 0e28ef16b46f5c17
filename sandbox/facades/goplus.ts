import { CHAINS } from '../../src/chains/index.ts';
import { type Facade, matchPath } from '../facade.ts';
import type { AssetView, Scene } from '../scene.ts';
import type { SandboxHolder } from '../world/types.ts';
import { implementationOf } from './evm_contracts.ts';
import { lpOwners } from './evm_world.ts';
import { lpHolders } from './solana_accounts.ts';

/** GoPlus token security: EVM results keyed by lower-case address, Solana's by the exact mint; strings "0" and "1". */
export const goplus: Facade = ({ path, query }, scene) => {
  const wanted = (query.get('contract_addresses') ?? '').split(',').filter((text) => text !== '');
  if (matchPath(path, '/api/v1/solana/token_security')) {
    const rows = wanted.flatMap((mint) => {
      const asset = scene.world.byAddress('solana', mint);
      return asset ? [[mint, solanaResult(scene, scene.see('goplus', asset))] as const] : [];
    });
    return { json: { code: 1, message: 'ok', result: Object.fromEntries(rows) } };
  }
  const evm = matchPath(path, '/api/v1/token_security/:chain');
  if (!evm) return { json: { code: 1, message: 'ok', result: [] } };
  const chain = CHAINS.find((row) => String(row.evmChainId) === evm.chain);
  const rows = wanted.flatMap((address) => {
    const asset = chain ? scene.world.byAddress(chain.name, address) : null;
    return asset ? [[address.toLowerCase(), evmResult(scene, scene.see('goplus', asset))] as const] : [];
  });
  return { json: { code: 1, message: 'OK', result: Object.fromEntries(rows) } };
};

const bit = (value: boolean) => (value ? '1' : '0');

function evmResult(scene: Scene, view: AssetView) {
  const { asset } = view;
  const { traits } = asset;
  const owner = asset.controller(traits.owner, 'owner') ?? '';
  const base = {
    token_name: asset.name,
    token_symbol: asset.symbol,
    total_supply: String(view.totalSupply),
    holder_count: String(view.holders),
    holders: scene.world
      .holders(asset, view.at)
      .slice(0, 10)
      .map((holder) => evmHolder(view, holder)),
    is_open_source: bit(traits.verified),
    is_in_dex: '1',
    dex: view.pools.map((row) => ({
      liquidity_type: row.pool.kind === 'constant_product' ? 'UniV2' : 'UniV3',
      name: row.pool.venue,
      liquidity: String(row.liquidityUsd),
      pair: row.pool.address,
    })),
    lp_holder_count: '4',
    lp_total_supply: '1000000',
    lp_holders: lpOwners(asset).map((lp) => ({
      address: lp.owner,
      tag: lp.tag,
      value: null,
      is_contract: lp.locked ? 1 : 0,
      balance: String(1_000_000 * lp.share),
      percent: String(lp.share),
      NFT_list: null,
      is_locked: lp.locked ? 1 : 0,
    })),
    creator_address: asset.creator,
    creator_balance: String(view.totalSupply * traits.creatorShare),
    creator_percent: String(traits.creatorShare),
    is_honeypot: bit(traits.honeypot),
    honeypot_with_same_creator: '0',
    buy_tax: String(traits.buyTax),
    sell_tax: String(traits.sellTax),
    transfer_tax: '0',
    cannot_buy: '0',
  };
  // Without source code the scanner leaves most fields out (absent is not "0").
  if (!traits.verified) return base;
  return {
    ...base,
    owner_address: owner,
    owner_balance: '0',
    owner_percent: '0',
    is_proxy: bit(traits.proxyAdmin !== null),
    is_mintable: bit(traits.mintAuthority !== 'none'),
    can_take_back_ownership: '0',
    owner_change_balance: '0',
    hidden_owner: '0',
    selfdestruct: '0',
    external_call: '0',
    cannot_sell_all: bit(traits.honeypot),
    slippage_modifiable: bit(traits.sellTax > 0 && traits.owner === 'eoa'),
    personal_slippage_modifiable: '0',
    transfer_pausable: bit(asset.peg !== undefined),
    is_blacklisted: bit(traits.freezeAuthority !== 'none'),
    is_whitelisted: bit(traits.whitelist),
    is_anti_whale: '0',
    anti_whale_modifiable: '0',
    trading_cooldown: '0',
    ...(traits.proxyAdmin === null ? {} : { implementation: implementationOf(asset) }),
    ...(traits.listed && asset.grade !== 'bad' ? { trust_list: '1' } : {}),
  };
}

function evmHolder(view: AssetView, holder: SandboxHolder) {
  return {
    address: holder.owner,
    tag: holder.kind === 'pool' ? 'LP' : holder.kind === 'exchange' ? (holder.label ?? '') : '',
    is_contract: holder.isContract ? 1 : 0,
    balance: String(view.totalSupply * holder.share),
    percent: holder.share.toFixed(18),
    is_locked: holder.kind === 'burn' || holder.kind === 'locker' ? 1 : 0,
  };
}

function solanaResult(scene: Scene, view: AssetView) {
  const { asset } = view;
  const { traits } = asset;
  const status = (authority: string | null) => ({
    status: bit(authority !== null),
    authority: authority === null ? [] : [{ address: authority, malicious_address: 0 }],
  });
  const main = view.pools[0];
  const period = (row: { volume24hUsd: number; priceUsd: number }, days: number) => ({
    volume: String(row.volume24hUsd * days),
    price_min: String(row.priceUsd * 0.97),
    price_max: String(row.priceUsd * 1.03),
  });
  return {
    metadata: { name: asset.name, symbol: asset.symbol, description: '', uri: `${asset.url}token.json` },
    creators: [{ address: asset.creator, malicious_address: traits.creatorDeadTokens > 2 ? 1 : 0 }],
    creator: [{ address: asset.creator, malicious_address: traits.creatorDeadTokens > 2 ? 1 : 0 }],
    total_supply: String(view.totalSupply),
    mintable: status(asset.controller(traits.mintAuthority, 'mint')),
    freezable: status(asset.controller(traits.freezeAuthority, 'freeze')),
    closable: status(null),
    metadata_mutable: {
      status: bit(traits.metadataMutable),
      metadata_upgrade_authority: traits.metadataMutable ? [{ address: asset.creator, malicious_address: 0 }] : [],
    },
    balance_mutable_authority: status(traits.permanentDelegate ? asset.creator : null),
    transfer_fee_upgradable: status(traits.transferFeeBps > 0 ? asset.creator : null),
    transfer_hook_upgradable: status(null),
    default_account_state_upgradable: status(null),
    transfer_fee:
      traits.transferFeeBps > 0
        ? {
            current_fee_rate: { fee_rate: String(traits.transferFeeBps / 10_000), maximum_fee: '0' },
            scheduled_fee_rate: [],
          }
        : {},
    transfer_hook: [],
    default_account_state: '1',
    non_transferable: '0',
    trusted_token: traits.listed && asset.grade !== 'bad' ? 1 : 0,
    holder_count: String(view.holders),
    holders: scene.world
      .holders(asset, view.at)
      .slice(0, 10)
      .map((holder) => ({
        token_account: holder.tokenAccount,
        account: holder.owner,
        balance: String(view.totalSupply * holder.share),
        percent: holder.share.toFixed(18),
        tag: holder.kind === 'pool' ? `${holder.label}` : '',
        is_locked: holder.kind === 'locker' || holder.kind === 'burn' ? 1 : 0,
        locked_detail: [],
      })),
    lp_holders:
      main?.pool.kind === 'constant_product'
        ? lpHolders(asset, main.pool).map((lp) => ({
            token_account: lp.tokenAccount,
            account: lp.owner,
            balance: String(Number(lp.amount) / 1e9),
            percent: lp.share.toFixed(18),
            tag: '',
            is_locked: 0,
            locked_detail: [],
          }))
        : [],
    dex: view.pools.map((row) => ({
      id: row.pool.address,
      dex_name: row.pool.venue,
      type: row.pool.kind === 'constant_product' ? 'Standard' : 'Concentrated',
      tvl: String(row.liquidityUsd),
      price: String(row.priceUsd),
      fee_rate: String(row.pool.feeRate),
      burn_percent: row.pool.kind === 'constant_product' ? traits.lpLockedShare * 90 : 0,
      lp_amount: row.pool.kind === 'constant_product' ? '1000000' : null,
      open_time: String(Math.round(row.createdAt / 1000)),
      day: period(row, 1),
      week: period(row, 7),
      month: period(row, 30),
    })),
  };
}
