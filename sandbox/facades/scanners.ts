import { CHAINS } from '../../src/chains/index.ts';
import { TESTNETS } from '../../src/sources/explorers.ts';
import { type Facade, type FacadeReply, iso, matchPath } from '../facade.ts';
import type { Scene } from '../scene.ts';
import { checksummed } from '../world/addresses.ts';
import type { SandboxAsset } from '../world/types.ts';
import { implementationOf } from './evm_contracts.ts';
import { firstPayments } from './evm_history.ts';
import { chainOfBase, rawUnits } from './evm_world.ts';

/** Honeypot.is: buys and sells in a simulation; taxes in percent. 404 where it has no pair. */
export const honeypot_is: Facade = ({ path, query }, scene) => {
  const chain = CHAINS.find((row) => String(row.evmChainId) === (query.get('chainID') ?? '1'));
  const asset = chain ? scene.world.byAddress(chain.name, query.get('address') ?? '') : null;
  if (!matchPath(path, '/v2/IsHoneypot') || !asset || !chain)
    return { status: 404, json: { code: 404, error: 'not found' } };
  const view = scene.see('honeypot_is', asset);
  const { traits } = asset;
  const pool = view.pools[0];
  const token = {
    name: asset.name,
    symbol: asset.symbol,
    decimals: asset.decimals,
    address: checksummed(asset.address),
    totalHolders: view.holders,
  };
  return {
    json: {
      token,
      withToken: {
        name: pool?.pool.quote.name,
        symbol: pool?.pool.quote.symbol,
        decimals: pool?.pool.quote.decimals,
        address: checksummed(pool?.pool.quote.address ?? ''),
        totalHolders: 0,
      },
      summary: { risk: traits.honeypot ? 'honeypot' : 'low', riskLevel: traits.honeypot ? 100 : 1, flags: [] },
      simulationSuccess: true,
      honeypotResult: traits.honeypot
        ? { isHoneypot: true, honeypotReason: 'TRANSFER_FROM_FAILED' }
        : { isHoneypot: false },
      simulationResult: {
        buyTax: traits.buyTax * 100,
        sellTax: traits.sellTax * 100,
        transferTax: 0,
        buyGas: '151022',
        sellGas: '98113',
      },
      holderAnalysis: {
        holders: String(view.holders),
        successful: String(traits.honeypot ? 3 : Math.min(view.holders, 900)),
        failed: String(traits.honeypot ? 412 : 0),
        siphoned: '0',
        averageTax: traits.sellTax * 100,
        averageGas: 100000,
        highestTax: traits.sellTax * 100,
        highTaxWallets: '0',
        taxDistribution: [],
        snipersFailed: 0,
        snipersSuccess: 0,
      },
      flags: traits.honeypot ? ['high_fail_rate'] : [],
      contractCode: {
        openSource: traits.verified,
        rootOpenSource: traits.verified,
        isProxy: traits.proxyAdmin !== null,
        hasProxyCalls: traits.proxyAdmin !== null,
      },
      chain: { id: String(chain.evmChainId), name: chain.title, shortName: chain.name, currency: chain.native.symbol },
      router: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
      pair: {
        pair: {
          name: `${asset.symbol}-${pool?.pool.quote.symbol}`,
          address: checksummed(pool?.pool.address ?? ''),
          token0: checksummed(asset.address),
          token1: checksummed(pool?.pool.quote.address ?? ''),
          type: 'UniswapV2',
        },
        chainId: String(chain.evmChainId),
        reserves0: rawUnits(pool?.baseAmount ?? 0, asset.decimals).toString(),
        reserves1: rawUnits(pool?.quoteAmount ?? 0, pool?.pool.quote.decimals ?? 18).toString(),
        liquidity: pool?.liquidityUsd ?? 0,
        router: '0x7a250d5630b4cf539739df2c5dacb4c659f2488d',
        createdAtTimestamp: String(Math.round((pool?.createdAt ?? view.createdAt) / 1000)),
        creationTxHash: `0x${'cd'.repeat(32)}`,
      },
      pairAddress: checksummed(pool?.pool.address ?? ''),
    },
  };
};

/** Sourcify v2: a match, or 404 with a body without one. */
export const sourcify: Facade = ({ path }, scene) => {
  const params =
    matchPath(path, '/server/v2/contract/:chain/:address') ?? matchPath(path, '/v2/contract/:chain/:address');
  const chain = CHAINS.find((row) => String(row.evmChainId) === params?.chain);
  const asset = chain ? scene.world.byAddress(chain.name, params?.address ?? '') : null;
  const common = { chainId: params?.chain ?? '', address: checksummed((params?.address ?? '').toLowerCase()) };
  if (!asset?.traits.verified) {
    return { status: 404, json: { match: null, creationMatch: null, runtimeMatch: null, ...common } };
  }
  const view = scene.see('sourcify', asset);
  return {
    json: {
      matchId: String(asset.rank),
      creationMatch: 'exact_match',
      runtimeMatch: 'exact_match',
      match: 'exact_match',
      verifiedAt: iso(view.createdAt + 3_600_000),
      ...common,
      compilation: {
        language: 'Solidity',
        compiler: 'solc',
        compilerVersion: '0.8.24+commit.e11b9ed9',
        name: 'Token',
        fullyQualifiedName: 'contracts/Token.sol:Token',
      },
      proxyResolution: {
        isProxy: asset.traits.proxyAdmin !== null,
        proxyType: asset.traits.proxyAdmin === null ? null : 'EIP1967Proxy',
        implementations:
          asset.traits.proxyAdmin === null ? [] : [{ address: checksummed(implementationOf(asset)), name: 'TokenV2' }],
      },
    },
  };
};

/** Blockscout v2 of one chain (the base). */
export const blockscout: Facade = ({ path, base, query }, scene) => {
  if (TESTNETS.some((row) => row.name === base)) return testnetCounters(scene, base, path);
  const chain = chainOfBase(base === 'main' ? 'ethereum' : base);
  if (query.get('module') === 'account') return { json: firstPayments(scene, base, query) };
  const rest = path.replace(/^\/api\/v2/, '');
  const params =
    matchPath(rest, '/tokens/:address/holders') ??
    matchPath(rest, '/tokens/:address/counters') ??
    matchPath(rest, '/tokens/:address') ??
    matchPath(rest, '/smart-contracts/:address') ??
    matchPath(rest, '/addresses/:address/counters') ??
    matchPath(rest, '/addresses/:address');
  const asset = params ? scene.world.byAddress(chain.name, params.address ?? '') : null;
  if (!asset) return { status: 404, json: { message: 'Not found' } };
  const view = scene.see('blockscout', asset);
  if (rest.endsWith('/holders'))
    return { json: { items: query.has('items_count') ? [] : holderItems(scene, asset), next_page_params: null } };
  if (rest.startsWith('/tokens/') && rest.endsWith('/counters')) {
    return { json: { token_holders_count: String(view.holders), transfers_count: String(view.holders * 11) } };
  }
  if (rest.startsWith('/tokens/')) return { json: tokenRow(scene, asset) };
  if (rest.startsWith('/smart-contracts/')) return smartContract(scene, asset);
  return { json: addressRow(scene, asset) };
};

/** Blockscout of a test network: it has every address, most of them without a transaction. */
function testnetCounters(scene: Scene, network: string, path: string): FacadeReply {
  const params = matchPath(path.replace(/^\/api\/v2/, ''), '/addresses/:address/counters');
  if (!params) return { status: 404, json: { message: 'Not found' } };
  const asset = scene.world.assets.find(
    (row) => row.testnet?.network === network && row.testnet.address === params.address?.toLowerCase(),
  );
  const count = asset?.testnet?.transactions ?? 0;
  return {
    json: {
      gas_usage_count: String(count * 61_000),
      token_transfers_count: '0',
      transactions_count: String(count),
      validations_count: '0',
    },
  };
}

function tokenRow(scene: Scene, asset: SandboxAsset) {
  const view = scene.see('blockscout', asset);
  return {
    address: checksummed(asset.address),
    address_hash: checksummed(asset.address),
    circulating_market_cap: asset.traits.listed ? String(view.marketCapUsd) : null,
    decimals: String(asset.decimals),
    exchange_rate: asset.traits.listed ? String(view.priceUsd) : null,
    holders: String(view.holders),
    holders_count: String(view.holders),
    icon_url: null,
    name: asset.name,
    symbol: asset.symbol,
    total_supply: rawUnits(view.totalSupply, asset.decimals).toString(),
    type: 'ERC-20',
    volume_24h: asset.traits.listed ? String(view.volumeUsd) : null,
    reputation: 'ok',
  };
}

function holderItems(scene: Scene, asset: SandboxAsset) {
  return scene.world.holders(asset, scene.now).map((holder) => ({
    address: {
      ens_domain_name: null,
      hash: checksummed(holder.owner),
      is_contract: holder.isContract,
      is_scam: false,
      is_verified: holder.isContract,
      metadata:
        holder.kind === 'exchange'
          ? { tags: [{ name: holder.label, slug: 'exchange', tagType: 'name', ordinal: 0, meta: {} }] }
          : null,
      name: holder.isContract ? (holder.label ?? 'Contract') : null,
      private_tags: [],
      proxy_type: null,
      implementations: [],
      public_tags:
        holder.label && !holder.isContract
          ? [{ label: holder.label, display_name: holder.label, address_hash: checksummed(holder.owner) }]
          : [],
      watchlist_names: [],
    },
    token_id: null,
    value: holder.amount.toString(),
  }));
}

function smartContract(scene: Scene, asset: SandboxAsset) {
  if (!asset.traits.verified)
    return {
      json: { deployed_bytecode: '0x6080', creation_bytecode: '0x6080', is_verified: false, implementations: [] },
    };
  const proxy = asset.traits.proxyAdmin !== null;
  return {
    json: {
      name: 'Token',
      is_verified: true,
      is_fully_verified: true,
      is_partially_verified: false,
      is_verified_via_sourcify: true,
      is_blueprint: false,
      compiler_version: 'v0.8.24+commit.e11b9ed9',
      evm_version: 'cancun',
      language: 'solidity',
      optimization_enabled: true,
      optimization_runs: 200,
      license_type: 'mit',
      verified_at: iso(scene.see('blockscout', asset).createdAt + 3_600_000),
      proxy_type: proxy ? 'eip1967' : null,
      implementations: proxy
        ? [
            {
              address: checksummed(implementationOf(asset)),
              address_hash: checksummed(implementationOf(asset)),
              name: 'TokenV2',
            },
          ]
        : [],
      abi: [],
      source_code: 'contract Token {}',
      deployed_bytecode: '0x6080',
      creation_bytecode: '0x6080',
      file_path: 'contracts/Token.sol',
      certified: false,
    },
  };
}

function addressRow(scene: Scene, asset: SandboxAsset) {
  return {
    hash: checksummed(asset.address),
    is_contract: true,
    is_verified: asset.traits.verified,
    is_scam: false,
    name: 'Token',
    creator_address_hash: checksummed(asset.creator),
    creation_transaction_hash: `0x${'ef'.repeat(32)}`,
    creation_tx_hash: `0x${'ef'.repeat(32)}`,
    coin_balance: '0',
    exchange_rate: null,
    ens_domain_name: null,
    proxy_type: asset.traits.proxyAdmin === null ? null : 'eip1967',
    implementations: [],
    token: tokenRow(scene, asset),
  };
}
