import { type LinkProps, useRouter } from '@tanstack/react-router';

export interface PageLink {
  readonly path: LinkProps['to'];
  readonly title: string;
  readonly place: 'bar' | 'more';
  readonly words: string;
}

/** The pages of the navigation, in the order of the router's list. */
export function usePages(): readonly PageLink[] {
  const { routesById } = useRouter();
  return Object.values(routesById).flatMap(({ options }) => {
    const { title, place, words = '' } = options.staticData ?? {};
    if (title === undefined || place === undefined || place === 'none') return [];
    return [{ path: (options as { readonly path: LinkProps['to'] }).path, title, place, words }];
  });
}
