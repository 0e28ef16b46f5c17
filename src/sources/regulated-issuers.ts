import { findChain } from '../chains/index.ts';
import { issuerOf } from '../registers/index.ts';

/** Who holds that power over a token by the register of issuers, and where that is stated; null where no named issuer has it. */
export function holderOfPower(
  chain: string,
  address: string,
  power: 'mint' | 'freeze',
): { readonly issuer: string; readonly source: string } | null {
  const found = issuerOf(findChain(chain)?.caip2 ?? chain, address);
  return found?.powers.includes(power) ? found : null;
}
