import Type, { type TSchema } from 'typebox';
import { SNAPSHOT_KINDS } from '../domain/index.ts';
import { HoldersReply } from './holders.ts';
import { MarketReply } from './market.ts';
import { PoolsReply } from './pools.ts';
import { list, oneOf, time } from './vocabulary.ts';

const assetId = Type.String({ description: 'Id of the asset (CAIP-19).' });
const kind = oneOf('Kind of snapshot.', SNAPSHOT_KINDS);
const reason = Type.String({ description: 'The reason, as text.' });

const Snapshot = Type.Union([MarketReply, HoldersReply, PoolsReply], {
  description: 'The snapshot; `kind` states which.',
});
/** First event of a stream: the assets and kinds that it follows. */
export const StreamOpened = Type.Object(
  {
    assets: list('Ids (CAIP-19) of the assets that the stream follows.'),
    kinds: Type.Array(kind, { description: 'Kinds of their snapshots that it sends.' }),
  },
  { description: 'What the stream follows.' },
);
/** A slow reader missed snapshots: newer ones replaced them in the queue. */
export const StreamSkipped = Type.Object(
  {
    asset_id: assetId,
    kind,
    skipped: Type.Integer({
      minimum: 1,
      description: 'Snapshots between the one sent before and the one that follows.',
    }),
  },
  { description: 'How many were skipped.' },
);
/** More snapshots were stored since `Last-Event-ID` than a stream sends again. */
export const StreamGap = Type.Object(
  {
    asset_id: assetId,
    kind,
    from: time('The time that Last-Event-ID stood for.'),
    to: time('Snapshots stored from here on follow; those between are in the history.'),
  },
  { description: 'What is not sent again.' },
);
/** Blocks of the chain were replaced: earlier snapshots may depend on them. */
export const StreamReorganised = Type.Object(
  {
    asset_id: assetId,
    block: Type.Integer({ description: 'First block that was removed and in which something happened at its pools.' }),
    noticed_at: time('When it was seen. Snapshots with a later `as_of` rest on the blocks that took their place.'),
  },
  { description: 'Which blocks were removed.' },
);
/** The process stops; the client should reconnect, which leads to another process. */
export const StreamBye = Type.Object(
  {
    reason,
    retry_after_ms: Type.Integer({
      description: 'Wait so long before connecting again; the line `retry` states the same.',
    }),
  },
  { description: 'Why the process ends the stream, and when to connect again.' },
);
/** The key may no longer read the stream. */
const StreamEnd = Type.Object({ reason }, { description: 'Why the stream ends.' });

const event = <const Name extends string, Data extends TSchema>(name: Name, description: string, data: Data) =>
  Type.Object({ event: Type.Literal(name, { description }), data });

/** Any event of a stream of chain data: its name and its data. */
export const ChainEventView = Type.Union(
  [
    event('open', 'What the stream follows.', StreamOpened),
    event('snapshot', 'A snapshot, as its own route gives it.', Snapshot),
    event('skipped', 'The reader was slow: the newest follows, older ones do not.', StreamSkipped),
    event('gap', 'Too much was stored since Last-Event-ID: some of it is in the history alone.', StreamGap),
    event('reorganised', 'Blocks were removed: new snapshots follow.', StreamReorganised),
    event('bye', 'This process stops: connect again with Last-Event-ID.', StreamBye),
    event('end', 'The key or its plan no longer allows the stream.', StreamEnd),
  ],
  { title: 'ChainEvent', description: 'An event of a stream of chain data.' },
);

/** A stream of chain data, as OpenAPI describes it. */
export const ChainEventStream = Type.String({
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(ChainEventView),
  description: 'Server-sent events, until the reader disconnects.',
});
