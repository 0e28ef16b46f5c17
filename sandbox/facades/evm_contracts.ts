import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem';
import type { Scene } from '../scene.ts';
import { addressWord, evmAddress } from '../world/addresses.ts';
import { EVM_LOCKER } from '../world/holders.ts';
import { QUOTES } from '../world/pools.ts';
import type { PoolSpec, SandboxAsset } from '../world/types.ts';
import { backingContract, statedBacking } from './evm_backing.ts';
import { bareAnswers, bareAt } from './evm_bare.ts';
import { governanceAt } from './evm_governance.ts';
import { balanceOf } from './evm_logs.ts';
import { factoryAnswers, poolAnswers, quoteAnswers } from './evm_pools.ts';
import { priceFeedAt, statedRate } from './evm_redemption.ts';
import { rawUnits } from './evm_world.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function owner() view returns (address)',
  'function getOwner() view returns (address)',
  'function paused() view returns (bool)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)',
  'function liquidity() view returns (uint128)',
  'function factory() view returns (address)',
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function getPool(address, address, bool) view returns (address)',
  'function stable() view returns (bool)',
  'function getFee(address, bool) view returns (uint256)',
  'function tickSpacing() view returns (int24)',
  'function tickBitmap(int16) view returns (uint256)',
  'function ticks(int24) view returns (uint128, int128, uint256, uint256, int56, uint160, uint32, bool)',
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function getMinDelay() view returns (uint256)',
  'function delay() view returns (uint256)',
  'function masterCopy() view returns (address)',
  'function admin() view returns (address)',
  'function timelock() view returns (address)',
  'function uni() view returns (address)',
  'function comp() view returns (address)',
  'function token() view returns (address)',
  'function getExchangeRate() view returns (uint256)',
  'function getRate() view returns (uint256)',
  'function convertToAssets(uint256) view returns (uint256)',
  'function stEthPerToken() view returns (uint256)',
  'function getBeaconStat() view returns (uint256, uint256, uint256)',
  'function getExternalEther() view returns (uint256)',
  'function getUint(bytes32) view returns (uint256)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
]);

const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
const CODE: Hex = '0x60806040526004361061001e5760003560e01c8063';
/** The forwarding part of an EIP-1967 proxy: calldatacopy, DELEGATECALL (f4), returndatacopy. */
const PROXY_CODE: Hex = '0x60806040523660008037600080366000845af43d6000803e8080156023573d6000f35b3d6000fd';
/** Executable part of a Safe proxy 1.1.1 to 1.5.0 as on chain, followed by the start of its metadata. */
const SAFE_CODE: Hex =
  '0x608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea2646970667358';
/** Safe singleton 1.4.1 (safe-global/safe-deployments). */
const SAFE_SINGLETON = '0x41675c099f32341bf84bfc5382af534df5c7461a';

export interface SandboxContract {
  readonly code: Hex;
  readonly storage: Readonly<Record<string, Hex>>;
  /** Null: the call reverts. */
  answer(name: string, args: readonly unknown[]): unknown;
}

/** Runs one call; null when there is no contract, no such function, or it reverts. */
export function callContract(scene: Scene, chain: string, address: string, data: Hex): Hex | null {
  const contract = contractAt(scene, chain, address);
  // A call to an address without code succeeds with nothing, as on the real chain.
  if (contract === null) return '0x';
  try {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data });
    const result = contract.answer(functionName, args ?? []);
    return result === null ? null : (encodeFunctionResult({ abi: ABI, functionName, result } as never) as Hex);
  } catch {
    return null;
  }
}

/** The contract at an address, or null for a plain key. */
export function contractAt(scene: Scene, chain: string, address: string): SandboxContract | null {
  const wanted = address.toLowerCase();
  if (wanted === EVM_LOCKER) return plain();
  const feed = priceFeedAt(scene, chain, wanted);
  if (feed) return { code: CODE, storage: {}, answer: feed };
  const factory = factoryAnswers(scene, chain, wanted);
  if (factory) return { code: CODE, storage: {}, answer: factory };
  const quote = scene.world.byAddress(chain, wanted) ? undefined : QUOTES[chain]?.find((row) => row.address === wanted);
  if (quote) return { code: CODE, storage: {}, answer: quoteAnswers(scene, chain, quote) };
  const governance = governanceAt(scene, chain, wanted);
  if (governance) return { code: CODE, storage: {}, answer: governance };
  const backer = backingContract(scene, chain, wanted);
  if (backer) return { code: CODE, storage: {}, answer: backer };
  const bare = bareAt(scene, chain, wanted);
  if (bare) return { code: CODE, storage: {}, answer: bareAnswers(bare) };
  for (const asset of scene.world.tokens) {
    if (asset.chain !== chain) continue;
    if (asset.address === wanted) return token(scene, asset);
    const pool = asset.pools.find((row) => row.address === wanted);
    if (pool) return pair(scene, asset, pool);
    const controller = controllerOf(asset, wanted);
    if (controller) return controller;
    if (scene.world.holders(asset, scene.now).some((holder) => holder.owner === wanted && holder.isContract))
      return safe(asset);
    if (asset.traits.proxyAdmin !== null && wanted === implementationOf(asset)) return plain();
  }
  return null;
}

export function implementationOf(asset: SandboxAsset): string {
  return evmAddress(asset.address, 'implementation');
}

function plain(): SandboxContract {
  return { code: CODE, storage: {}, answer: () => null };
}

function token(scene: Scene, asset: SandboxAsset): SandboxContract {
  const view = scene.see('evm_rpc', asset);
  const { proxyAdmin, owner } = asset.traits;
  const admin = proxyAdmin === null ? null : asset.controller(proxyAdmin, 'admin');
  const ownerAddress = asset.controller(owner, 'owner') ?? `0x${'0'.repeat(40)}`;
  return {
    code: admin === null ? CODE : PROXY_CODE,
    storage:
      admin === null
        ? {}
        : { [ADMIN_SLOT]: addressWord(admin), [IMPLEMENTATION_SLOT]: addressWord(implementationOf(asset)) },
    answer(name, args) {
      switch (name) {
        case 'name':
          return asset.name;
        case 'symbol':
          return asset.symbol;
        case 'decimals':
          return asset.decimals;
        case 'totalSupply':
          return rawUnits(view.totalSupply, asset.decimals);
        case 'balanceOf':
          return balanceOf(scene, asset, String(args[0]));
        case 'owner':
        case 'getOwner':
          return ownerAddress;
        case 'paused':
          return asset.peg === undefined ? null : false;
        default:
          return statedRate(asset, name) ?? statedBacking(asset, name);
      }
    },
  };
}

function pair(scene: Scene, asset: SandboxAsset, pool: PoolSpec): SandboxContract {
  return { code: CODE, storage: {}, answer: poolAnswers(scene, asset, pool) };
}

function controllerOf(asset: SandboxAsset, address: string): SandboxContract | null {
  const kind = controllersOf(asset).get(address);
  return kind === undefined ? null : kind === 'timelock' ? timelock() : safe(asset);
}

// Each address costs a hash, and every call needs those of all assets.
const controllers = new WeakMap<SandboxAsset, ReadonlyMap<string, 'timelock' | 'multisig'>>();

function controllersOf(asset: SandboxAsset): ReadonlyMap<string, 'timelock' | 'multisig'> {
  const known = controllers.get(asset);
  if (known) return known;
  const made = new Map<string, 'timelock' | 'multisig'>();
  for (const role of ['mint', 'freeze', 'owner', 'admin'])
    for (const kind of ['timelock', 'multisig'] as const) made.set(asset.controller(kind, role) ?? '', kind);
  controllers.set(asset, made);
  return made;
}

/** An OpenZeppelin TimelockController with two days. */
function timelock(): SandboxContract {
  return { code: CODE, storage: {}, answer: (name) => (name === 'getMinDelay' || name === 'delay' ? 172_800n : null) };
}

/** A Safe with three of five signers. */
function safe(asset: SandboxAsset): SandboxContract {
  const answers: Readonly<Record<string, unknown>> = {
    masterCopy: SAFE_SINGLETON,
    getThreshold: 3n,
    getOwners: [0, 1, 2, 3, 4].map((index) => asset.controller('eoa', `signer-${index}`) ?? asset.creator),
  };
  return { code: SAFE_CODE, storage: {}, answer: (name) => answers[name] ?? null };
}
