import canonicalize from 'canonicalize';
import type { EvidenceRecord, Observation } from '../domain/index.ts';
import { sortObservations } from './assemble.ts';
import type { SourceBook } from './book.ts';
import { metaOf, readReply } from './read-reply.ts';

export interface Reobserved {
  /** Replies whose body is still kept and was read again. */
  readonly bodies: number;
  /** Replies that gave observations but whose body is gone (terms or the operator's setting). */
  readonly gone: number;
  /** Observations from bodies where there are any, from the archive otherwise. */
  readonly observations: readonly Observation[];
  /** Replies whose body no longer gives the archived observations: the adapter changed, or somebody touched the archive. */
  readonly different: readonly string[];
}

/**
 * Reads the archived bodies again with today's source files. `bodyOf` gives the decoded body by hash, or null when it is
 * no longer kept; it must check the hash.
 */
export async function reobserve(
  evidence: EvidenceRecord,
  book: SourceBook,
  bodyOf: (sha256: string) => Promise<Uint8Array | null>,
): Promise<Reobserved> {
  const byResponse = new Map<string, Observation[]>();
  for (const observation of evidence.observations)
    byResponse.set(observation.responseId, [...(byResponse.get(observation.responseId) ?? []), observation]);
  const fresh: Observation[] = [];
  const different: string[] = [];
  let bodies = 0;
  let gone = 0;
  const foreign = new Set(evidence.identification.foreignResponses);
  for (const record of evidence.responses) {
    if (foreign.has(record.id)) continue;
    const archived = byResponse.get(record.id) ?? [];
    const source = book.get(record.source)?.source;
    const endpoint = source?.endpoints.find((row) => row.name === record.endpoint);
    const body = record.sha256 === null || record.outcome !== 'ok' ? null : await bodyOf(record.sha256);
    if (!body || !source || !endpoint) {
      if (archived.length > 0) gone += 1;
      fresh.push(...archived);
      continue;
    }
    bodies += 1;
    const read = readReply(source, endpoint, record.params as Record<string, never>, body, metaOf(record), record.id);
    if (record.carriedFrom !== undefined) {
      // Of an earlier answer only what was not too old was taken over.
      const again = new Set(read.observations.map((observation) => canonicalize(observation)));
      if (archived.some(({ carried: _, ...observation }) => !again.has(canonicalize(observation))))
        different.push(record.id);
      fresh.push(...archived);
      continue;
    }
    if (canonicalize(sortObservations(read.observations)) !== canonicalize(sortObservations(archived)))
      different.push(record.id);
    fresh.push(...read.observations);
  }
  return { bodies, gone, observations: sortObservations(fresh), different };
}
