import type { SourceSettings } from '../config/index.ts';
import type { Endpoint, Source } from '../sources/index.ts';

/** A source with the settings of this installation. */
export interface BoundSource {
  readonly source: Source;
  readonly enabled: boolean;
  /** Why it is disabled; null if it is enabled. */
  readonly reason: string | null;
  readonly bases: Readonly<Record<string, string>>;
  readonly key: string | null;
  /** Current factor of the reliability of its observations, 0-1; default 1. */
  readonly weight?: () => number;
}

/** Request budget of a source with the configured key. */
export function budgetOf({ source, key }: Pick<BoundSource, 'source' | 'key'>): Source['budget'] {
  return { ...source.budget, perMinute: (key === null ? undefined : source.key?.perMinute) ?? source.budget.perMinute };
}

/** Share of a monthly quota that lists may use; the rest is for requests about single assets. */
const LIST_SHARE = 0.5;
const MONTH_SECONDS = 30 * 86_400;
const REFRESH_SECONDS = 30 * 60;

/**
 * Refresh interval of a list in milliseconds: that of its endpoint, or a longer one where lists would use more than
 * `LIST_SHARE` of the monthly quota of a key.
 */
export function refreshMsOf({ source, key }: Pick<BoundSource, 'source' | 'key'>, endpoint: Endpoint): number {
  const own = (endpoint.list?.refreshSeconds ?? REFRESH_SECONDS) * 1000;
  const perMonth = key === null ? undefined : source.key?.perMonth;
  if (perMonth === undefined) return own;
  const calls = source.endpoints.reduce(
    (sum, { list }) =>
      sum + (list === undefined ? 0 : ((list.pages?.length ?? 1) * MONTH_SECONDS) / list.refreshSeconds),
    0,
  );
  return own * Math.max(1, calls / (perMonth * LIST_SHARE));
}

export type SourceBook = ReadonlyMap<string, BoundSource>;

/**
 * Applies the operator's settings to the catalogue. A source that requires a key is disabled without one; otherwise the
 * operator can enable or disable any source. A configured base URL takes precedence over the source's own and over the
 * one that belongs to a key. `weightOf`: current factor of a source's reliability.
 */
export function bindSources(
  sources: readonly Source[],
  settings: Readonly<Record<string, SourceSettings>>,
  weightOf: (source: string) => number = () => 1,
): SourceBook {
  return new Map(
    sources.map((source) => [
      source.name,
      { ...bind(source, settings[source.name]), weight: () => weightOf(source.name) },
    ]),
  );
}

function bind(source: Source, settings: SourceSettings | undefined): BoundSource {
  const key = settings?.key ?? null;
  const withKey = key === null ? undefined : source.key?.baseWithKey;
  const keyed: Readonly<Record<string, string>> = typeof withKey === 'string' ? { main: withKey } : (withKey ?? {});
  const bases = { ...source.bases, ...keyed, ...settings?.bases };
  const missingKey = source.key?.required === true && key === null;
  const wanted = settings?.enabled ?? (source.enabledByDefault || (source.key?.required === true && key !== null));
  const enabled = wanted && !missingKey;
  const reason = enabled ? null : offReason(source, settings, missingKey);
  return { source, enabled, reason, bases, key };
}

function offReason(source: Source, settings: SourceSettings | undefined, missingKey: boolean): string {
  const name = source.name.toUpperCase();
  if (settings?.enabled === false) return `turned off by ASSAY_SOURCE_${name}_ENABLED`;
  if (missingKey) return `needs a key: set ASSAY_SOURCE_${name}_KEY`;
  return source.disabledReason ?? `off by default: set ASSAY_SOURCE_${name}_ENABLED=true`;
}
