import { useEffect, useState, useSyncExternalStore } from 'react';

/** Milliseconds by which the service's clock is ahead of the browser's: a demo's may be days off, a laptop's minutes. */
let ahead = 0;
const listeners = new Set<() => void>();

/** `asOf` is the service's time in a reply that the browser received at `receivedAt`. */
export function setClock(asOf: string, receivedAt: number): void {
  ahead = Date.parse(asOf) - receivedAt;
  for (const changed of listeners) changed();
}

/** The service's time, in milliseconds. */
function serviceNow(): number {
  return Date.now() + ahead;
}

/** The service's time when it was drawn; drawn again when the service has said its time. */
export function useServiceNow(): number {
  useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => ahead,
  );
  return serviceNow();
}

/** Whole seconds since it was first drawn, or since `from` (a time of the service). */
export function useElapsed(from?: number): number {
  const [start] = useState(serviceNow);
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.round((now - (from ?? start)) / 1000));
}
