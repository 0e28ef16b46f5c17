import { loadConfig } from '../src/config/load.ts';
import type { Config } from '../src/config/types.ts';
import { SOURCES } from '../src/sources/index.ts';
import { type SandboxAddress, sandboxConfig } from './settings.ts';

/**
 * Settings of a service on the sandbox: the defaults with the sandbox's sources, on any free port, with its own
 * database, each score collected anew, without logs; `changes` override all of them.
 */
export function serviceOnSandbox(
  address: Pick<SandboxAddress, 'url' | 'registersDir'>,
  changes: Partial<Config>,
): Config {
  const usual = loadConfig(
    {},
    SOURCES.map((source) => ({ name: source.name, bases: Object.keys(source.bases) })),
  );
  if (!usual.ok) throw new Error(usual.errors.join('\n'));
  return {
    ...usual.value,
    ...sandboxConfig(address),
    port: 0,
    databaseUrl: null,
    freshSeconds: 0,
    logLevel: 'silent',
    ...changes,
  };
}
