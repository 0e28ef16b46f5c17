import { nearestName, ok, type Result } from '../domain/index.ts';
import { isLoopback, SETTINGS, type Setting } from './settings.ts';
import { type SourceNames, type SourceSetting, sourceSettings } from './sources.ts';
import type { Config, SourceSettings } from './types.ts';

/**
 * Reads the configuration from environment variables. Reports all errors at once, including unknown `ASSAY_` names,
 * each with the most similar known name. An empty value counts as not set. Errors never contain a sensitive value.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  sources: readonly SourceNames[],
): Result<Config, { errors: string[] }> {
  const errors: string[] = [];
  const forSources = sourceSettings(sources);
  const known = [...SETTINGS, ...forSources].map((setting) => setting.name);
  const values: Record<string, unknown> = {};
  for (const setting of SETTINGS) values[setting.field] = read(setting, env, errors) ?? setting.fallback;
  const config = { ...values, sources: readSources(forSources, sources, env, errors) } as unknown as Config;
  errors.push(...unknownNames(env, known), ...contradictions(config, forSources));
  return errors.length > 0 ? { ok: false, errors } : ok(config);
}

function read<Value>(
  setting: Setting<Value>,
  env: Readonly<Record<string, string | undefined>>,
  errors: string[],
): Value | null {
  const given = env[setting.name]?.trim() ?? '';
  if (given === '') return null;
  const value = setting.kind.parse(given);
  if (value === null) {
    const shown = setting.sensitive ? 'something else' : JSON.stringify(given.slice(0, 100));
    errors.push(`${setting.name}: expected ${setting.kind.expected}, got ${shown}`);
  }
  return value;
}

function readSources(
  settings: readonly SourceSetting[],
  sources: readonly SourceNames[],
  env: Readonly<Record<string, string | undefined>>,
  errors: string[],
): Record<string, SourceSettings> {
  const readings = settings.map((setting) => ({ setting, value: read(setting, env, errors) }));
  return Object.fromEntries(
    sources.map(({ name }) => {
      const own = readings.filter(({ setting }) => setting.source === name);
      const bases: Record<string, string> = {};
      let key: string | null = null;
      let enabled: boolean | null = null;
      for (const { setting, value } of own) {
        if (setting.base !== null && typeof value === 'string') bases[setting.base] = value;
        else if (setting.field === 'key' && typeof value === 'string') key = value;
        else if (setting.field === 'enabled' && typeof value === 'boolean') enabled = value;
      }
      return [name, { bases, key, enabled }];
    }),
  );
}

function unknownNames(env: Readonly<Record<string, string | undefined>>, known: readonly string[]): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.toUpperCase().startsWith('ASSAY_') && !known.includes(name) && !OF_THE_TESTS.has(name))
    .sort()
    .map((name) => {
      const nearest = nearestName(name.toUpperCase(), known);
      return `${name}: there is no such setting${nearest === null ? '' : `; did you mean ${nearest}?`}`;
    });
}

function contradictions(config: Config, settings: readonly SourceSetting[]): readonly string[] {
  const errors: string[] = [];
  if (config.scoreDeadlineSeconds > config.scoreDeadlineMaxSeconds)
    errors.push('ASSAY_SCORE_DEADLINE_SECONDS: must not exceed ASSAY_SCORE_DEADLINE_MAX_SECONDS');
  if (config.x402Facilitator !== null)
    for (const [name, value] of [
      ['ASSAY_X402_PAY_TO', config.x402PayTo],
      ['ASSAY_X402_NETWORK', config.x402Network],
      ['ASSAY_X402_TOKEN', config.x402Token],
    ])
      if (value === null) errors.push(`${name}: ASSAY_X402_FACILITATOR needs it`);
  if (config.objectStoreUrl !== null)
    for (const [name, value] of [
      ['ASSAY_OBJECT_STORE_BUCKET', config.objectStoreBucket],
      ['ASSAY_OBJECT_STORE_KEY_ID', config.objectStoreKeyId],
      ['ASSAY_OBJECT_STORE_SECRET', config.objectStoreSecret],
    ])
      if (value === null) errors.push(`${name}: ASSAY_OBJECT_STORE_URL needs it`);
  if (config.dataMode === 'live' && config.sandboxClockSeconds !== 0)
    errors.push('ASSAY_SANDBOX_CLOCK_SECONDS: a clock can be set in data mode sandbox only');
  if (config.dataMode !== 'sandbox') return errors;
  if (!config.nodeSockets.every(({ url }) => isLoopback(url)))
    errors.push('ASSAY_NODE_SOCKETS: must be on loopback in the sandbox');
  for (const { name, source, base } of settings) {
    if (base === null || config.sources[source]?.enabled === false) continue;
    const url = config.sources[source]?.bases[base];
    if (url === undefined) errors.push(`${name}: the sandbox needs it, and it must be on loopback`);
    else if (!isLoopback(url))
      errors.push(`${name}: must be on loopback in the sandbox, so that no fictional question leaves the machine`);
  }
  return errors;
}

/** Variables of the project's tests and measurements, which may be set where a command runs. */
const OF_THE_TESTS: ReadonlySet<string> = new Set(['ASSAY_REFERENCE_DATA', 'ASSAY_SKIP_CHECKS', 'ASSAY_KILLS']);
