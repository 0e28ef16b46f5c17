// Builds the dashboard into web/dist. An installation without development packages has no bundler: the service then says so at /.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const vite = await import('vite').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('dashboard: not built, the bundler is not installed (npm ci without --omit=dev brings it)');
  return null;
});
if (vite) await vite.build({ root, logLevel: 'warn' });
