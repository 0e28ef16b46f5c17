/** The more severe of two flags on the same fact stands alone. */
const OUTDONE: Readonly<Record<string, string>> = {
  LIQUIDITY_THIN: 'LIQUIDITY_CRITICAL',
  TAX_HIGH: 'SELL_TAX_EXTREME',
  DEPEG: 'DEPEG_SEVERE',
};

/** True when a more severe flag on the same fact is among those that are raised. */
export function isOutdone(code: string, raised: readonly { readonly code: string }[]): boolean {
  return raised.some((flag) => flag.code === OUTDONE[code]);
}
