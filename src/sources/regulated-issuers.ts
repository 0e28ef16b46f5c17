import { findChain } from '../chains/index.ts';
import { issuerOf } from '../registers/index.ts';

/** The issuer that holds a power over the token according to the register of issuers, and the source; null if no issuer is named. */
export function holderOfPower(
  chain: string,
  address: string,
  power: 'mint' | 'freeze',
): { readonly issuer: string; readonly source: string } | null {
  const found = issuerOf(findChain(chain)?.caip2 ?? chain, address);
  return found?.powers.includes(power) ? found : null;
}
