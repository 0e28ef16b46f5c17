import Type from 'typebox';
import { DAY_MS } from '../domain/index.ts';
import { observed } from './observations.ts';
import { num } from './read.ts';
import { defineSource, endpoint, type Facts, fact, ONE_ROW } from './source.ts';
import { rowsOfText } from './text-lists.ts';

/**
 * European Central Bank: euro foreign exchange reference rates, the daily public file.
 *
 * Lineage: family `ecb`: published once a working day about 16:00 CET, from a concertation of central banks. Used for markets quoted in
 * currencies other than the dollar, and for pegs to them. Terms: free with attribution. Quirks: units of the currency for one euro;
 * attribute quotes are ' or "; an omitted currency (HRK, RUB, BGN) has no rate, which is not a rate of 0; weekends keep Friday's rates.
 */
interface Rates {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** US dollars for one unit, by ISO 4217. */
  readonly usdPer: Readonly<Record<string, number>>;
}

const DAY = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/;
const RATE = /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([\d.]{1,20})['"]/g;
const MOST_CURRENCIES = 60;

/** All rates of the newest day as one row; [] if the file has no date or no dollar rate. */
function ratesIn(text: string): readonly Rates[] {
  const [, date] = DAY.exec(text) ?? [];
  const perEuro = new Map<string, number>();
  for (const [, currency = '', rate] of text.matchAll(RATE)) {
    const value = num(rate);
    if (value !== null && value > 0 && !perEuro.has(currency) && perEuro.size < MOST_CURRENCIES)
      perEuro.set(currency, value);
  }
  const dollars = perEuro.get('USD');
  if (date === undefined || dollars === undefined) return [];
  const others = [...perEuro].filter(([currency]) => currency !== 'USD');
  return [
    { date, usdPer: Object.fromEntries([['EUR', dollars], ...others.map(([name, per]) => [name, dollars / per])]) },
  ];
}

/** Holidays leave at most five days without rates. Older ones come from a file that is no longer renewed. */
const MOST_AGE_DAYS = 10;

function isInForce({ date }: Rates, fetchedAt: string): boolean {
  return Date.parse(fetchedAt) - Date.parse(date) <= MOST_AGE_DAYS * DAY_MS;
}

const PEGGED: ReadonlySet<string> = new Set(
  'EUR GBP JPY CHF AUD CAD SGD TRY BRL IDR KRW CNY CNH HKD ZAR MXN PHP NZD'.split(' '),
);
/** Affixes that issuers add to a currency code (EURC, EURCV, XSGD, agEUR). Only these count, because AUDIO, ENTRY and CADENCE are words. */
const IN_FRONT = /^(?:AG|[A-Z])(?=[A-Z]{3}$)/;
const BEHIND = /(?<=^[A-Z]{3})(?:CV|[A-Z0-9])$/;

/** The currency that the token may be pegged to, from its symbol. The observation is the exchange rate, which is not evidence about the token. */
function currencyOf({ symbol }: Facts): string | null {
  const name = (symbol ?? '').toUpperCase();
  return [name, name.replace(IN_FRONT, ''), name.replace(BEHIND, '')].find((code) => PEGGED.has(code)) ?? null;
}

export const ecb = defineSource({
  name: 'ecb',
  title: 'European Central Bank',
  doc: 'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html',
  family: 'ecb',
  tier: 'registry',
  reliability: 0.99,
  bases: { main: 'https://www.ecb.europa.eu' },
  terms: {
    attribution: {
      text: 'Euro reference rates: European Central Bank',
      url: 'https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html',
    },
    redistribute: true,
    keepBodyDays: null,
    note: 'reuse with the source named; read in the notes to the recorded replies, not at the ECB',
  },
  budget: { perMinute: 6, burst: 2, concurrency: 1, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  endpoints: [
    endpoint({
      name: 'daily',
      doc: '/stats/eurofxref/eurofxref-daily.xml: 30 currencies, units for one euro (recorded 2025-05-09)',
      format: 'xml',
      maxBytes: 64 * 1024,
      plan: (facts) => [{ currency: currencyOf(facts) }],
      request: () => ({ path: '/stats/eurofxref/eurofxref-daily.xml' }),
      reply: Type.String(),
      classify: (reply) =>
        rowsOfText(reply, ratesIn).length > 0 ? { outcome: 'ok' } : { outcome: 'malformed', detail: 'no dated rates' },
      list: {
        ...ONE_ROW,
        refreshSeconds: 6 * 60 * 60,
        rowsOf: (reply) => rowsOfText(reply, ratesIn),
      },
      observe: (reply, { currency }) =>
        rowsOfText(reply, ratesIn).flatMap(({ date, usdPer }) =>
          typeof currency === 'string'
            ? observed('currency_usd', usdPer[currency], {
                scope: `currency:${currency}`,
                meaning: `reference rate of ${date}`,
                observedAt: `${date}T15:00:00.000Z`,
              })
            : [],
        ),
      learn: (reply, _params, { fetchedAt }) => {
        const [rates] = rowsOfText(reply, ratesIn);
        return fact('ecb.usdPer', rates && isInForce(rates, fetchedAt) ? rates.usdPer : null);
      },
    }),
  ],
});
