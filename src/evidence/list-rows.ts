import { createHash } from 'node:crypto';
import type { Json, ResponseRecord } from '../domain/index.ts';
import type { Endpoint, Params } from '../sources/index.ts';
import type { Answer } from './ask.ts';
import type { BoundSource } from './book.ts';
import type { BulkList, ListRow } from './bulk.ts';
import { metaOf, type ReadReply, readChecked, readReply } from './read-reply.ts';

/** A whole list as one reply: what it says is read by the row. */
export function wholeOf(list: BulkList, params: Params, id: string): Answer {
  const record = { ...list.record, id, params: params as Json, fromCache: true, milliseconds: 0 };
  return { record, reply: list.reply, observations: [], learned: {}, body: null };
}

/** One row of a list as a reply of its own, whose body is the row: it can be archived and read again without the list. */
export function rowOf(bound: BoundSource, endpoint: Endpoint, params: Params, found: ListRow, id: string): Answer {
  const reply = [found.row];
  const body = new TextEncoder().encode(JSON.stringify(reply));
  return answerOf(endpoint, params, found, id, body, {
    ...readChecked(bound.source, endpoint, params, reply, metaOf(found.record), id),
    reply,
  });
}

/**
 * A row as the reply of the endpoint that its list stands in for: same id, same body shape, with the url and the time of the list.
 * `found.row` is null for what the list does not have. Null where the list says nothing, or nothing that fits the endpoint's schema:
 * the source is then asked itself.
 */
export function standIn(
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  { list }: Endpoint,
  found: ListRow,
  id: string,
): Answer | null {
  const reply = list?.replyOf ? list.replyOf(found.row) : found.row;
  if (reply === null) return null;
  const body = new TextEncoder().encode(JSON.stringify(reply));
  const read = readReply(bound.source, endpoint, params, body, metaOf(found.record), id);
  return read.outcome === 'ok' ? answerOf(endpoint, params, found, id, body, read) : null;
}

function answerOf(
  endpoint: Endpoint,
  params: Params,
  found: ListRow,
  id: string,
  body: Uint8Array,
  read: ReadReply,
): Answer {
  const { waitedMs: _ofTheList, ...list } = found.record;
  const record: ResponseRecord = {
    ...list,
    id,
    endpoint: endpoint.name,
    params: params as Json,
    outcome: read.outcome,
    detail: read.detail,
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: body.byteLength,
    fromCache: true,
    milliseconds: 0,
  };
  return { record, reply: read.reply, observations: read.observations, learned: read.learned, body };
}
