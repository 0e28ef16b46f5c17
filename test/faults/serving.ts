import { pause } from './claim.ts';
import type { Call } from './fault-world.ts';

/** A write that needs the database, asked again until it is acknowledged: milliseconds until then. Throws after `withinMs`. */
export async function servesAgain(call: Call, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < withinMs) {
    const json = { name: 'does it serve', scopes: ['rms:read'], plan: 'RATING' };
    const reply = await call('/v1/admin/keys', { json, signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await reply?.arrayBuffer().catch(() => undefined);
    if (reply?.status === 201) return performance.now() - startedAt;
    await pause(20);
  }
  throw new Error(`no write was acknowledged within ${withinMs} ms`);
}
