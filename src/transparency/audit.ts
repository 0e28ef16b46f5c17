import canonicalize from 'canonicalize';
import { type LogEntry, recordHash } from './tiles.ts';

/** Fields that a reply adds to a record; they are neither signed nor logged. */
export const UNSIGNED = ['signature', 'standing', 'correction', 'age_seconds'];

export interface RecordComplaint {
  readonly kind: 'record_missing' | 'record_changed' | 'not_logged';
  readonly asOf: string;
  readonly detail: string;
}

/**
 * Compares the published records of an asset with the log: each leaf must have exactly its record, and each record its
 * leaf. `entries`: leaves of the asset; `records`: records from the service's replies; `logged`: the period of known
 * entries (RFC 3339), which ends at the checkpoint. Records outside it are not checked.
 */
export function auditRecords(
  entries: readonly LogEntry[],
  records: readonly Readonly<Record<string, unknown>>[],
  logged: { readonly from: string; readonly to: string },
): readonly RecordComplaint[] {
  const hashes = new Set<string>();
  const times = new Set<string>();
  const known = new Set(entries.map(({ recordSha256 }) => recordSha256));
  const complaints: RecordComplaint[] = [];
  for (const record of records) {
    const signed = Object.fromEntries(Object.entries(record).filter(([name]) => !UNSIGNED.includes(name)));
    const [hash, asOf] = [recordHash(canonicalize(signed) ?? ''), String(record['as_of'])];
    hashes.add(hash);
    times.add(asOf);
    if (!known.has(hash) && asOf >= logged.from && asOf < logged.to)
      complaints.push({
        kind: 'not_logged',
        asOf,
        detail: 'the service shows this rating, and the log does not hold it',
      });
  }
  for (const { asOf, recordSha256 } of entries)
    if (!hashes.has(recordSha256))
      complaints.push(
        times.has(asOf)
          ? { kind: 'record_changed', asOf, detail: 'the rating that the service shows is not the one that was logged' }
          : { kind: 'record_missing', asOf, detail: 'the log holds this rating, and the service does not show it' },
      );
  return complaints;
}
