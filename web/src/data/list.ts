import { useInfiniteQuery } from '@tanstack/react-query';
import type { ItemOf, ListName } from '../../../client/src/client.ts';
import type { Input } from '../../../client/src/operation.ts';
import { service } from './service.ts';

const AGAIN_MS = 2_000;

type PagedName = Extract<ListName, `GET ${string}`>;

/** A paged list: the pages read so far as one, to be drawn by `Loaded`, and `<ReadMore list>` for the next. */
export function useList<Name extends PagedName>(
  name: Name,
  input: Input<Name>,
  {
    enabled = true,
    again,
  }: {
    readonly enabled?: boolean;
    /** Whether an entry is still changing: while one is, the list is read again every few seconds. */
    readonly again?: (item: ItemOf<Name>) => boolean;
  } = {},
) {
  const list = useInfiniteQuery({
    queryKey: [name, input, 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(input.query as object | undefined), ...(pageParam === null ? {} : { cursor: pageParam }) };
      const page = await service().call(name, { ...input, query, signal } as Input<Name>);
      return page as unknown as { readonly data: ItemOf<Name>[]; readonly next_cursor: string | null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled,
    refetchInterval: ({ state }) =>
      again && state.data?.pages.some(({ data }) => data.some(again)) ? AGAIN_MS : false,
  });
  const { error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const data = list.data?.pages.flatMap((page) => page.data);
  return { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage };
}
