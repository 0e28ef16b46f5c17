/** A missing value is shown as a dash, with a text for screen readers where it is alone. */
export const UNKNOWN = '–';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** Small amounts with four significant digits and without an exponent. */
const small = new Intl.NumberFormat('en-US', { minimumSignificantDigits: 4, maximumSignificantDigits: 4 });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
/** Money in a column: the decimals stand below each other. */
const money = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : whole.format(value);
}

/** `1 gap`, `2 gaps`. */
export function many(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** A score or points, with one decimal so that columns line up. */
export function points(value: number | null | undefined): string {
  return value === null || value === undefined ? UNKNOWN : value.toFixed(1);
}

export function signed(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`;
}

export function percent(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined) return UNKNOWN;
  const text = value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // Values that round to zero have no sign.
  return `${(/[1-9]/.test(text) ? text : text.replace('-', '')).replace('-', '−')} %`;
}

/** An interval's two ends as text; null if there is none. */
export function ends(interval: readonly number[] | null, show: (value: number) => string): string | null {
  const [low, high] = interval ?? [];
  return low === undefined || high === undefined ? null : `${show(low)} to ${show(high)}`;
}

/** The 80 % interval of a score; a score limited by a cap or a default has no meaningful one. */
export function scoreInterval(interval: readonly number[] | null): string {
  const [low, high] = interval ?? [];
  if (low === undefined || high === undefined) return 'none';
  return low === high ? 'held by a cap or default' : `${points(low)} to ${points(high)}`;
}

export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (Math.abs(value) >= 1_000) return `$${money.format(value)}`;
  return `$${value === 0 || Math.abs(value) >= 1 ? value.toFixed(2) : small.format(value)}`;
}

/** A number of any size in few characters. */
export function compact(value: number | null | undefined): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (Math.abs(value) >= 1_000) return short.format(value);
  return value.toLocaleString('en-US', { maximumSignificantDigits: 5, useGrouping: false });
}

export function day(time: string): string {
  return time.slice(0, 10);
}

/** Date and minute, UTC. */
export function minute(time: string | null): string {
  return time === null ? UNKNOWN : `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** `8 min`; `now` is the service's time. */
export function age(time: string, now: number): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

const CATEGORIES: Readonly<Record<string, string>> = {
  default: 'Other',
  defi_protocol: 'DeFi protocol',
  gaming_ai: 'Gaming or AI',
  l1_l2: 'Layer 1 or 2',
  lst_wrapped: 'Staked or wrapped',
  rwa: 'Real-world asset',
};

/** A category as the methodology titles it. */
export function category(code: string | null): string {
  return code === null ? UNKNOWN : (CATEGORIES[code] ?? words(code));
}

const CLASSES: Readonly<Record<string, string>> = {
  default: 'Not classed',
  defi_gov: 'DeFi protocol',
  exchange: 'Exchange token',
  infra: 'Infrastructure',
  l2: 'Layer 2',
  lst_wrapped: 'Staked or wrapped',
  native_l1: 'Native coin',
  rwa_sec: 'Tokenised security',
  stable_algo: 'Algorithmic stablecoin',
  stable_crypto: 'Crypto-backed stablecoin',
  stable_fiat: 'Fiat-backed stablecoin',
};

/** The class of an asset; ratings from before classes have a category alone. */
export function classOf(asset: {
  readonly class?: string | null | undefined;
  readonly category: string | null;
}): string {
  return asset.class ? (CLASSES[asset.class] ?? words(asset.class)) : category(asset.category);
}

/** Titles of the sources by their names; the build inserts them from src/sources. */
declare const SOURCE_TITLES: Readonly<Record<string, string>>;

/** The title of a source. */
export function sourceName(name: string): string {
  return Object.hasOwn(SOURCE_TITLES, name) ? (SOURCE_TITLES[name] ?? name) : words(name);
}

/** Nouns that texts of a rating count; archived texts keep the plural after 1, because a replay gives the same bytes. */
const AFTER_ONE =
  /(?<![\d.,-])\b1 (advisers|authors|chains|commits|days|failures|families|features|holders|hours|months|pages|peers|points|pools|providers|pseudonyms|questions|registries|rounds|sources|trades|transactions|venues|wallets|years)\b/g;

/** A text of the service with its nouns in the singular after 1, as the report has it: `1 pools read` as `1 pool read`. */
export function inNumber(text: string): string {
  return text.replace(AFTER_ONE, (_, noun: string) => `1 ${noun.replace(/ies$/, 'y').replace(/s$/, '')}`);
}

/** A text of the service with the sources in its brackets, or after `outvoted:`, replaced by their titles. */
export function withSources(text: string): string {
  return inNumber(text).replace(
    /(\(|outvoted: )([a-z0-9_]+(?:, [a-z0-9_]+)*)(?= alone\)|\)|$)/g,
    (whole, before: string, list: string) => {
      const names = list.split(', ');
      return names.every((name) => Object.hasOwn(SOURCE_TITLES, name))
        ? before + names.map(sourceName).join(', ')
        : whole;
    },
  );
}

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: 'answered',
  empty: 'has no data',
  not_found: 'not found',
  circuit_open: 'not requested for now, after failures',
  budget_spent: 'its budget is spent',
  http_error: 'replied with an error',
  rate_limited: 'refused: too many requests',
  deadline: 'not in time',
  timeout: 'no reply in time',
};

/** The outcome of a request to a source as readable text. */
export function outcomeWords(outcome: string): string {
  return OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ');
}

/** The title of a chain. */
export function chainName(chain: string): string {
  return chain.length <= 3 ? chain.toUpperCase() : words(chain);
}

/** `EXTREME_PREMIUM` and `defi_protocol` as readable text. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text of the service with a capital first letter. */
export function sentence(text: string): string {
  const first = inNumber(text.charAt(0).toUpperCase() + text.slice(1));
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A text with its timestamps shortened to days. */
export function withDays(text: string): string {
  return text.replace(/\b(\d{4}-\d{2}-\d{2})T[0-9:.]+Z/g, '$1');
}

/** A text with the addresses and transactions in it shortened. */
export function withShortAddresses(text: string): string {
  return text.replace(/\b(?:0x[0-9a-fA-F]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,88})\b/g, shortAddress);
}

/** A probability of any size, with two significant digits. */
export function chance(value: number): string {
  return value < 0.0001 ? 'under 0.0001' : String(Number(value.toPrecision(2)));
}

export function shortAddress(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address;
}

/** All bands, the best first. */
export const BANDS = ['AAA', 'AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C', 'D', 'NR'] as const;
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export const ALERT_KINDS = [
  'score_change',
  'risk_flag_change',
  'band_transition',
  'source_drift',
  'peg_stress',
  'correction',
  'snapshot_threshold',
] as const;
export const REGISTER_STATES = ['confirmed', 'unconfirmed', 'expired'] as const;
export const BULK_STATES = ['waiting', 'running', 'rated', 'failed', 'refused', 'duplicate', 'cancelled'] as const;

/** Names of the built-in rules of a policy. */
export const PRESETS = ['wallet', 'listing_desk', 'treasury', 'agent'] as const;

/** A duration as text. */
export function span(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Colour token of a band. */
export function bandColour(band: string): string {
  return band === 'NR' ? 'var(--raise)' : `var(--band-${band.toLowerCase()})`;
}

/** Gives an element, and what is in it, a colour that the style sheets use as `--look`. */
export function looksAs(colour: string): object {
  return { '--look': colour };
}
