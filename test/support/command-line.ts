import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sourceVariables } from '../../sandbox/settings.ts';
import type { Config } from '../../src/config/types.ts';

const MAIN = fileURLToPath(new URL('../../bin/assay.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Settings by which a command finds the database of a service. */
export function databaseVariables({
  dataDir,
  databaseUrl = null,
}: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>): Readonly<Record<string, string>> {
  return { ASSAY_DATA_DIR: dataDir, ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }) };
}

/** Runs `assay` as a process of its own on the sandbox's sources; `variables` in place of the usual ones. */
export async function assay(
  config: Pick<Config, 'sources' | 'dataDir'> & Partial<Pick<Config, 'registersDir' | 'databaseUrl'>>,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const env = {
    PATH: process.env.PATH ?? '',
    ...databaseVariables(config),
    ASSAY_DATA_MODE: 'sandbox',
    ...sourceVariables({ registersDir: null, ...config }),
    ...variables,
  };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}
