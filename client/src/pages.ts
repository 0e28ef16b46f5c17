import { AssayConnectionError } from './errors.ts';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/** Items of a list over all its pages; a page is requested when its first item is needed. */
export async function* itemsOf<Item>(ask: (cursor: string | undefined) => Promise<Page<Item>>) {
  let cursor: string | undefined;
  for (;;) {
    const page: Page<Item> = await ask(cursor);
    yield* page.data;
    if (page.next_cursor === null || page.next_cursor === undefined) return;
    if (page.next_cursor === cursor)
      throw new AssayConnectionError('unreadable', 'a page names itself as the next: the list would never end');
    cursor = page.next_cursor;
  }
}
