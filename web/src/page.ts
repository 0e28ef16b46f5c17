import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NoSuchPage, PageFailed } from './shell/fallbacks.tsx';
import { Shell } from './shell/shell.tsx';

/** Place in the navigation: in the bar, in the menu "More", or none. */
type Place = 'bar' | 'more' | 'none';

interface PageFacts {
  readonly title: string;
  readonly place: Place;
  /** Shown without a key. */
  readonly open: boolean;
  /** Further search terms for Ctrl-K. */
  readonly words: string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption extends Partial<PageFacts> {}
}

export const root = createRootRoute({ component: Shell, notFoundComponent: NoSuchPage, errorComponent: PageFailed });

/**
 * A page: its path behind the #, its title, and the module that holds it as `Page`, loaded when the page is opened.
 * `search` reads its search parameters.
 */
export function page<const Path extends string, Search extends object = Record<never, never>>(
  path: Path,
  title: string,
  load: () => Promise<{ readonly Page: ComponentType }>,
  facts: Partial<Omit<PageFacts, 'title'>> & { readonly search?: (raw: Record<string, unknown>) => Search } = {},
) {
  const { search, ...rest } = facts;
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Page'),
    validateSearch: (raw: Record<string, unknown>): Partial<Search> => search?.(raw) ?? {},
    staticData: { title, place: 'more', open: false, words: '', ...rest },
  });
}
