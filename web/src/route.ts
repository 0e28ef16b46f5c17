import { useSyncExternalStore } from 'react';

/** The page is named behind the #, so that no page ever takes an address of the API. */
export interface Route {
  readonly page: string;
  /** What the page is about, such as an asset's id. */
  readonly subject: string;
  readonly query: URLSearchParams;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener('hashchange', changed);
      return () => removeEventListener('hashchange', changed);
    },
    () => location.hash,
  );
  return readRoute(hash);
}

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...rest] = path.split('/');
  return { page: page || 'assets', subject: decoded(rest.join('/')), query: new URLSearchParams(query) };
}

/** Address of a page. */
export function linkTo(page: string, subject = '', query: Readonly<Record<string, string>> = {}): string {
  const behind = new URLSearchParams(query).toString();
  return `#/${page}${subject ? `/${encodeURIComponent(subject)}` : ''}${behind ? `?${behind}` : ''}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
