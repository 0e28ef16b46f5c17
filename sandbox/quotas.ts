/**
 * Limits of a provider over hours, a day or a month, beside its limit per minute. The replicas do not enforce them: a
 * day of the sandbox is over in minutes.
 */
export interface Quota {
  readonly of: 'keyless' | 'free key';
  readonly calls: number;
  readonly every: 'hour' | 'day' | 'month';
  /** Bases of the source whose calls count; absent: all. */
  readonly bases?: readonly string[];
}

/** Sources of the figures: docs/sources.md, "Limits and terms, where they were read". */
export const QUOTAS: Readonly<Record<string, readonly Quota[]>> = {
  // Files and feeds cost nothing.
  github: [
    { of: 'keyless', calls: 60, every: 'hour', bases: ['main'] },
    { of: 'free key', calls: 5_000, every: 'hour', bases: ['main'] },
  ],
  coingecko: [{ of: 'free key', calls: 10_000, every: 'month' }],
  coinmarketcap: [{ of: 'free key', calls: 15_000, every: 'month' }],
  coinpaprika: [{ of: 'keyless', calls: 20_000, every: 'month' }],
  dexpaprika: [
    { of: 'keyless', calls: 10_000, every: 'month' },
    { of: 'free key', calls: 100_000, every: 'month' },
  ],
  // 100,000 credits at 20 a call. Test networks share them, and ratings of tokens send no requests to these.
  blockscout: [{ of: 'free key', calls: 5_000, every: 'day' }],
  helius: [{ of: 'free key', calls: 1_000_000, every: 'month' }],
  safe: [{ of: 'free key', calls: 50_000, every: 'month' }],
};

export const SECONDS: Readonly<Record<Quota['every'], number>> = { hour: 3_600, day: 86_400, month: 30 * 86_400 };
