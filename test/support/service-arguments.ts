import { fileURLToPath } from 'node:url';

/** What Node is given before a script of ours: it loads in half the processor time, as a service does (decision 0035). */
export const AS_A_SERVICE: readonly string[] = ['--import', new URL('joined-packages.js', import.meta.url).href];

/** What Node is given to run `service-process.ts`, before its orders. */
export const SERVICE_PROCESS: readonly string[] = [
  ...AS_A_SERVICE,
  fileURLToPath(new URL('service-process.ts', import.meta.url)),
];
