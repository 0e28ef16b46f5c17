import { join } from 'node:path';
import type { Config } from '../config/index.ts';

/** Folder of all published exports. Fictional days never lie beside real ones. */
export function exportsRoot(config: Pick<Config, 'dataDir' | 'dataMode'>): string {
  return join(config.dataDir, 'exports', config.dataMode);
}
