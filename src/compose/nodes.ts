import type { BoundSource, SourceBook } from '../evidence/index.ts';
import type { RpcNode } from '../snapshots/index.ts';

/** A public node is not asked for lists of more holders than this: it would refuse, and rightly. */
const PUBLIC_HOLDERS = 50_000;

export interface ConfiguredNode {
  readonly node: RpcNode;
  /** Whether the operator named it (an own or paid node). */
  readonly own: boolean;
  readonly mostHolders: number;
}

/** The nodes of a source's bases, in the given order; none when the source is off. */
export function nodesOf(book: SourceBook, source: string, bases: readonly string[]): readonly ConfiguredNode[] {
  const bound = book.get(source);
  if (!bound?.enabled) return [];
  return bases.flatMap((base) => {
    const url = bound.bases[base];
    if (url === undefined) return [];
    const own = url !== bound.source.bases[base];
    return [{ node: nodeOf(bound, url), own, mostHolders: own ? Number.POSITIVE_INFINITY : PUBLIC_HOLDERS }];
  });
}

/** The key goes as the source says, and is never recorded. */
function nodeOf(bound: BoundSource, url: string): RpcNode {
  const { source, key } = bound;
  const target = new URL(url);
  const secretHeaders: Record<string, string> = {};
  if (key !== null && source.key?.header) secretHeaders[source.key.header] = (source.key.prefix ?? '') + key;
  if (key !== null && source.key?.query) target.searchParams.set(source.key.query, key);
  return {
    label: source.name,
    url: target.href,
    secretHeaders,
    secretQuery: source.key?.query ? [source.key.query] : [],
  };
}
