import type { ObservationDraft, QuantityId } from '../../domain/index.ts';
import { amount } from '../read.ts';

/** A flag as GoPlus writes it: "1" and "0" (numbers in places); absent, "" and anything else is not known. */
export function flag(value: unknown): boolean | null {
  if (value === '1' || value === 1) return true;
  return value === '0' || value === 0 ? false : null;
}

/** A fraction 0-1 in a string ("0.1" is 10 %). */
export function fraction(value: unknown): number | null {
  const number = amount(value);
  return number !== null && number <= 1 ? number : null;
}

/** The draft, or none when the value is not known. */
export function said(
  quantity: QuantityId,
  value: string | number | boolean | null,
  meaning: string,
): readonly ObservationDraft[] {
  return value === null ? [] : [{ quantity, value, meaning }];
}

/** Kind of an address by GoPlus's public tag; null when the tag says nothing of use. Words seen in replies and the SDK's model. */
export function kindOfTag(tag: string | null): string | null {
  if (tag === null) return null;
  if (/burn|null address|black ?hole|dead/i.test(tag)) return 'burn';
  if (/lock|vest/i.test(tag)) return 'locker';
  if (/bridge/i.test(tag)) return 'bridge';
  if (/binance|coinbase|okx|okex|kraken|bybit|kucoin|gate\.?io|huobi|htx|bitfinex|crypto\.com|exchange|cex/i.test(tag))
    return 'exchange';
  if (/uniswap|pancake|sushi|raydium|orca|meteora|curve|balancer|pool|\blp\b|amm|vault/i.test(tag)) return 'amm';
  if (/deployer|creator/i.test(tag)) return 'creator';
  return null;
}
