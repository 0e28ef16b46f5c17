import { useSyncExternalStore } from 'react';

/** The key of this tab. It is stored in sessionStorage only: closing the tab deletes it. */
const NAME = 'assay-key';
const listeners = new Set<() => void>();

export function readKey(): string | null {
  return sessionStorage.getItem(NAME);
}

export function keepKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
  for (const changed of listeners) changed();
}

export function useKey(): string | null {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => readKey(),
  );
}
