import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../src/config/types.ts';
import type { Service } from './demo-client.ts';
import { sourceVariables } from './settings.ts';

/**
 * Writes environment variables for another terminal (`. FILE`): the service and its key, for curl (`BASE_URL`,
 * `API_KEY`) and under the names that `assay`, the clients and MCP read; the data folder and the sandbox's sources for
 * commands that use them (`ASSAY_PORT` is where the doctor looks for the service). Only its owner may read it. Returns its path.
 */
export async function writeEnvironment(
  config: Pick<Config, 'dataDir' | 'sources' | 'registersDir' | 'sandboxClockSeconds'>,
  api: Service,
): Promise<string> {
  const file = join(config.dataDir, 'demo.env');
  const variables = {
    BASE_URL: api.url,
    API_KEY: api.key,
    ASSAY_URL: api.url,
    ASSAY_API_KEY: api.key,
    ASSAY_PORT: new URL(api.url).port,
    ASSAY_DATA_DIR: resolve(config.dataDir),
    ASSAY_DATA_MODE: 'sandbox',
    ...(config.sandboxClockSeconds === 0 ? {} : { ASSAY_SANDBOX_CLOCK_SECONDS: String(config.sandboxClockSeconds) }),
    ...sourceVariables(config),
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`);
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}
