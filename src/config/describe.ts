import { SETTINGS, type Setting } from './settings.ts';
import { sourceSettings } from './sources.ts';
import type { Config } from './types.ts';

export interface SettingRow {
  readonly name: string;
  /** The effective value; for a secret `set`, or empty if there is none. */
  readonly value: string;
  readonly default: string;
  readonly description: string;
}

/**
 * Every setting with its effective value, for `assay config`. Secrets are shown as `set` only, and settings of sources
 * only if they are set.
 */
export function describeConfig(config: Config): readonly SettingRow[] {
  const values = config as unknown as Readonly<Record<string, unknown>>;
  const general = SETTINGS.map((setting) => rowOf(setting, values[setting.field]));
  const names = Object.entries(config.sources).map(([name, { bases }]) => ({ name, bases: Object.keys(bases).sort() }));
  const ofSources = sourceSettings(names).flatMap((setting) => {
    const { bases, key, enabled } = config.sources[setting.source] ?? { bases: {}, key: null, enabled: null };
    const value = setting.base !== null ? bases[setting.base] : setting.field === 'key' ? key : enabled;
    return value === null || value === undefined ? [] : [rowOf(setting, value)];
  });
  return [...general, ...ofSources];
}

/** The table of docs/configuration.md, from the same definitions. */
export function settingsTable(): string {
  const ofAnySource = sourceSettings([{ name: '<name>', bases: ['main', '<base>'] }]);
  const lines = [...SETTINGS, ...ofAnySource].map(
    ({ name, description, kind, fallback, sensitive }) =>
      `| \`${name}\` | ${cell(kind.expected)} | ${textOf(fallback) === '' ? '' : `\`${textOf(fallback)}\``} | ${cell(description)}${sensitive ? ' Never shown.' : ''} |`,
  );
  return ['| name | value | default | what it does |', '|---|---|---|---|', ...lines, ''].join('\n');
}

function rowOf(setting: Setting, value: unknown): SettingRow {
  const shown = setting.sensitive && textOf(value) !== '' ? 'set' : textOf(value);
  return { name: setting.name, value: shown, default: textOf(setting.fallback), description: setting.description };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
