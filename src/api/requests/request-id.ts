import { randomUUID } from 'node:crypto';

/** A caller's request id is taken over when it is harmless. */
export function cleanRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : randomUUID();
}
