import type { Scene } from '../scene.ts';
import { coinUsdAt } from '../world/coins.ts';
import type { Coin, SandboxAsset } from '../world/types.ts';

/** Chainlink's feeds at their real addresses, which are constants of the chain. */
const FEEDS: Readonly<Record<string, Coin | 'USDC' | 'USDT'>> = {
  'ethereum:0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419': 'ETH',
  'ethereum:0xf4030086522a5beea4988f8ca5b36dbc97bee88c': 'BTC',
  'ethereum:0x8fffffd4afb6115b954bd326cbe7b4ba576818f6': 'USDC',
  'ethereum:0x3e7d1eab13ad0104d2750b8863b489d65364e32d': 'USDT',
  'base:0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70': 'ETH',
};
const FEED_DECIMALS = 8;
const UPDATE_MS = 600_000;
/** A proof-of-reserve feed by its token, at real addresses too. It states a tenth of a percent more than was issued. */
const RESERVES: Readonly<Record<string, { readonly token: string; readonly named: string }>> = {
  'ethereum:0xa81fe04086865e63e12dd3776978e49deea2ea4e': {
    token: '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
    named: 'WBTC PoR',
  },
};
const RATE_CALLS: ReadonlySet<string> = new Set(['getExchangeRate', 'getRate', 'convertToAssets']);

/** Replies of a price feed; null where there is none. It is updated every ten minutes. */
export function priceFeedAt(
  scene: Scene,
  chain: string,
  address: string,
): ((name: string, args: readonly unknown[]) => unknown) | null {
  const coin = FEEDS[`${chain}:${address}`];
  const reserves = RESERVES[`${chain}:${address}`];
  const backed = reserves && scene.world.byAddress(chain, reserves.token);
  if (coin === undefined && !backed) return null;
  return (name) => {
    if (name === 'decimals') return FEED_DECIMALS;
    if (name === 'description') return reserves?.named ?? `${coin} / USD`;
    if (name !== 'latestRoundData') return null;
    const at = Math.floor(scene.now / UPDATE_MS) * UPDATE_MS;
    const round = BigInt(at / UPDATE_MS);
    const seconds = BigInt(at / 1000);
    const stated = backed
      ? scene.see('evm_rpc', backed).totalSupply * 1.001
      : coin === 'USDC' || coin === 'USDT'
        ? 1
        : coinUsdAt(scene.world.anchor, at, coin ?? 'BTC');
    return [round, BigInt(Math.round(stated * 10 ** FEED_DECIMALS)), seconds, seconds, round];
  };
}

/** Coins per token with 18 decimals, as the token's contract states them; null for any other call or token. */
export function statedRate(asset: SandboxAsset, name: string): bigint | null {
  if (asset.redemption === undefined || !RATE_CALLS.has(name)) return null;
  const { rate, stated = rate } = asset.redemption;
  return BigInt(Math.round(stated * 1e9)) * 10n ** 9n;
}
