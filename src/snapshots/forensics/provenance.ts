import type { Receipt } from './bounded-upstream.ts';

export type AttributionOf = (source: string) => { readonly text: string; readonly url: string } | null;

/** Where a record's facts come from: the replies that were read, their sources and `others`, and what their terms ask to be said. */
export function provenanceOf(receipts: readonly Receipt[], others: readonly string[], attributionOf: AttributionOf) {
  const asked = [...new Set(receipts.map((receipt) => receipt.source))];
  return {
    receipts: receipts.map(({ source, request, sha256, bytes, fetchedAt }) => ({
      source,
      request,
      sha256,
      bytes,
      fetched_at: fetchedAt,
    })),
    sources: [...new Set([...others, ...asked])].sort(),
    attributions: asked.flatMap((source) => {
      const attribution = attributionOf(source);
      return attribution === null ? [] : [{ source, ...attribution }];
    }),
  };
}
