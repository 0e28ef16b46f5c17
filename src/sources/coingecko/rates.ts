import Type from 'typebox';
import { observed } from '../observations.ts';
import { LooseOptional, positive } from '../read.ts';
import { get } from '../requests.ts';
import { type Endpoint, type Facts, ONE_ROW, type Params, sharedList } from '../source.ts';

/** Units of each currency for one bitcoin; `xau` and `xag` are ounces. */
const Rates = Type.Object({ rates: Type.Record(Type.String(), Type.Object({ value: LooseOptional })) });

/** Metals named in token symbols. The peg that a list of stablecoins or a kept register states takes precedence. */
const METAL = /XAU|PAXG|XAG/;

/** The currency or metal (ISO 4217) that a list of stablecoins or a kept register states as the coin's peg; null if neither states one. */
export function filedPeg({ learned }: Facts): string | null {
  const filed = learned['defillama.pegCurrency'] ?? learned['registers.pegCurrency'];
  return typeof filed === 'string' ? filed : null;
}

/** The currency or metal that the coin may be pegged to; the observation is its rate, which is not evidence about the coin. */
function currencyOf(facts: Facts): readonly Params[] {
  const [named] = METAL.exec((facts.symbol ?? '').toUpperCase()) ?? [];
  const currency = filedPeg(facts) ?? (named === 'XAG' ? 'XAG' : named && 'XAU');
  return currency !== undefined && currency !== 'USD' ? [{ currency, list: 'all' }] : [];
}

/** Exchange rates of currencies and metals: one reply for all assets, requested only for a coin that may be pegged to one. */
export const rates: readonly Endpoint[] = sharedList(
  {
    name: 'all_rates',
    doc: '/exchange_rates: units of each currency and ounces of metal for one bitcoin, shared by all jobs',
    list: { ...ONE_ROW, refreshSeconds: 3_600 },
  },
  {
    name: 'exchange_rates',
    doc: '/exchange_rates: dollars for one unit of the currency or metal that a coin may be pegged to',
    plan: currencyOf,
    request: get('/exchange_rates'),
    reply: Rates,
    observe: (reply, { currency }) => {
      const perBitcoin = (code: string) => positive(reply.rates[code.toLowerCase()]?.value);
      const [dollars, units] = [perBitcoin('usd'), perBitcoin(String(currency))];
      const rate = dollars === null || units === null ? null : dollars / units;
      const scope = `currency:${String(currency)}`;
      return observed('currency_usd', rate, 'from the price of bitcoin in both units', { scope });
    },
  },
);
