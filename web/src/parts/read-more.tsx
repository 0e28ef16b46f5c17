/** Reads the next page of a `useList`. */
export function ReadMore({
  list,
}: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  if (!list.hasNextPage) return null;
  return (
    <p className="actions below">
      <button type="button" className="button" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {list.isFetchingNextPage ? 'Reading …' : 'Read more'}
      </button>
    </p>
  );
}
