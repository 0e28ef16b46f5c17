/** The key of this tab. It lives in sessionStorage only: closing the tab forgets it. */
const NAME = 'assay-key';

export function readKey(): string | null {
  return sessionStorage.getItem(NAME);
}

export function keepKey(key: string | null): void {
  if (key === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, key);
}
