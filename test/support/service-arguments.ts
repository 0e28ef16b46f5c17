import { fileURLToPath } from 'node:url';

/** What Node is given to run `service-process.ts`, before its orders. */
export const SERVICE_PROCESS: readonly string[] = [
  '--import',
  new URL('joined-packages.js', import.meta.url).href,
  fileURLToPath(new URL('service-process.ts', import.meta.url)),
];
