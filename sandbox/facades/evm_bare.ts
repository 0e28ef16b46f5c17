import type { Scene } from '../scene.ts';
import type { BareToken } from '../world/bare.ts';

export function bareAt(scene: Scene, chain: string, address: string): BareToken | null {
  return scene.world.bare.find((token) => token.chain === chain && token.address === address.toLowerCase()) ?? null;
}

/** Replies of the contract of a token that exists only on its chain. */
export function bareAnswers(token: BareToken): (name: string, args: readonly unknown[]) => unknown {
  return (name, args) => {
    switch (name) {
      case 'name':
        return token.name;
      case 'symbol':
        return token.symbol;
      case 'decimals':
        return token.decimals;
      case 'totalSupply':
        return token.supply;
      case 'balanceOf':
        return token.holders.find((row) => row.owner === String(args[0]).toLowerCase())?.amount ?? 0n;
      default:
        return null;
    }
  };
}
