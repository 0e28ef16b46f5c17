import { readFileSync } from 'node:fs';

/** Milliseconds in which this process was ready to run and the processors were busy with others, since its start; 0 where the system does not say it. */
export function queuedMs(): number {
  const [, queued = '0'] = (readSystem('/proc/self/schedstat') ?? '').split(' ');
  return Number(queued) / 1e6;
}

/**
 * Starts a clock; what it returns says how many milliseconds have passed without those in which the machine was busy with others. For
 * limits of time that hold for our code: a machine that does other work must not break them, and code that takes too long must.
 */
export function ownTime(): () => number {
  const [startedAt, queuedBefore] = [performance.now(), queuedMs()];
  return () => performance.now() - startedAt - (queuedMs() - queuedBefore);
}

/** A file of the kernel (Linux); null elsewhere. */
export function readSystem(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
