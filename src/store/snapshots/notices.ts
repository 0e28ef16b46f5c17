import { SNAPSHOT_KINDS, type SnapshotKind } from '../../domain/index.ts';
import { createListeners, keepListening, type ListenOptions } from '../listening.ts';
import type { SqlRunner } from './partitions.ts';

/** Channel of notifications about snapshots. */
export const CHANNEL = 'assay_snapshots';

export interface StoredNotice {
  readonly assetId: string;
  readonly kind: SnapshotKind;
  readonly asOf: string;
  /** When it was stored, RFC 3339 UTC; for notifications of versions without it: `asOf`, which is never later. */
  readonly storedAt: string;
}

/** PostgreSQL limits a notification to less than 8,000 bytes. */
const MOST_BYTES = 7_000;

/** Notifies of snapshots when the transaction of `client` commits. */
export async function announce(client: SqlRunner, notices: readonly StoredNotice[]): Promise<void> {
  if (notices.length === 0) return;
  await client.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [CHANNEL, payloadsOf(notices)]);
}

/** Blocks with an event at an asset's pools were replaced: snapshots may be based on them. */
export interface ReorganisedNotice {
  readonly assetId: string;
  /** First replaced block. */
  readonly block: number;
  /** RFC 3339 UTC. */
  readonly noticedAt: string;
}

const REORGANISED = 'reorganised';

/** Notifies all processes of a reorganisation. */
export async function announceReorganised(client: SqlRunner, notices: readonly ReorganisedNotice[]): Promise<void> {
  const lines = notices.map(({ assetId, block, noticedAt }) =>
    JSON.stringify([REORGANISED, assetId, block, noticedAt]),
  );
  if (lines.length > 0)
    await client.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [CHANNEL, inPayloads(lines)]);
}

/** The reorganisation in a line of a payload; null for any other line. */
function reorganisedIn(line: string): ReorganisedNotice | null {
  const [what, assetId, block, noticedAt] = partsOf(line);
  return what === REORGANISED && typeof assetId === 'string' && Number.isSafeInteger(block) && isTime(noticedAt)
    ? { assetId, block: Number(block), noticedAt }
    : null;
}

/** Notices in as few payloads as fit. */
export function payloadsOf(notices: readonly StoredNotice[]): string[] {
  return inPayloads(
    notices.map(({ assetId, kind, asOf, storedAt }) => JSON.stringify([assetId, kind, asOf, storedAt])),
  );
}

function inPayloads(all: readonly string[]): string[] {
  const payloads: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const line of all) {
    const length = Buffer.byteLength(line) + 1;
    if (bytes + length > MOST_BYTES && lines.length > 0) {
      payloads.push(lines.join('\n'));
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += length;
  }
  if (lines.length > 0) payloads.push(lines.join('\n'));
  return payloads;
}

/** Content of a payload. Any user of the database can send on the channel: unknown content is ignored. */
export function noticesOf(payload: string): readonly StoredNotice[] {
  return payload.split('\n').flatMap((line) => {
    const [assetId, kind, asOf, storedAt] = partsOf(line);
    const known = SNAPSHOT_KINDS.find((one) => one === kind);
    return typeof assetId === 'string' && known && isTime(asOf)
      ? [{ assetId, kind: known, asOf, storedAt: isTime(storedAt) ? storedAt : asOf }]
      : [];
  });
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && Number.isFinite(Date.parse(value));
}

function partsOf(line: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(line);
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/**
 * Listens for stored snapshots; those stored while the connection was lost are reported when it is back, from the
 * heads.
 */
export function listenForSnapshots(options: ListenOptions) {
  const { tell, add } = createListeners<StoredNotice>(options.onError);
  const reorganised = createListeners<ReorganisedNotice>(options.onError);
  const connection = keepListening(
    {
      name: CHANNEL,
      listener: 'assay-listener',
      onPayload: (payload) => {
        for (const notice of noticesOf(payload)) tell(notice);
        if (!payload.includes(REORGANISED)) return;
        for (const line of payload.split('\n')) {
          const notice = reorganisedIn(line);
          if (notice) reorganised.tell(notice);
        }
      },
      async recheck(client, seconds) {
        const { rows } = await client.query<StoredNotice>(
          `select asset_id as "assetId", kind, as_of as "asOf", stored_at as "storedAt" from snapshot_heads
           where changed_at > clock_timestamp() - make_interval(secs => $1)`,
          [seconds],
        );
        for (const row of rows) tell(row);
      },
    },
    options,
  );
  return {
    /** Called for each stored snapshot; sometimes twice. Returns a function that unsubscribes. */
    onStored: add,
    /** Called for reorganisations while connected; the snapshot that follows is reported in any case. */
    onReorganised: reorganised.add,
    close: connection.close,
  };
}
