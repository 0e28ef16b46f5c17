import { isSignedBy, type NoteKey, readCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { Frontier, hashLeaf, isSame } from './merkle.ts';
import type { LogEntry } from './tiles.ts';

/** State that a verifier keeps between runs; it needs no other history. */
export interface VerifierState {
  readonly origin: string;
  readonly size: number;
  /** Hashes of the complete subtrees, base64, the largest first. */
  readonly parts: readonly string[];
  /** Text of the newest checkpoint that was verified. */
  readonly checkpoint: string;
  /** Time of that checkpoint, RFC 3339. A later entry with much older facts is backdated. */
  readonly at: string;
}

/** Reads a log. */
export interface LogReader {
  /** Signed checkpoints of more than this number of leaves, the smallest first; an empty page ends them. */
  checkpoints(after: number): Promise<readonly string[]>;
  /** Leaf inputs from an index on, in order; an empty page ends them. */
  entries(from: number): Promise<readonly string[]>;
}

export interface LogComplaint {
  readonly kind:
    | 'unreadable'
    | 'other_log'
    | 'wrong_signature'
    | 'history_changed'
    | 'entry_missing'
    | 'dated_back'
    | 'dated_ahead'
    | 'time_runs_back';
  /** Index of the leaf, or size of the checkpoint. */
  readonly at: number;
  readonly detail: string;
}

export interface Verification {
  /** Null if the log could not be read up to a valid checkpoint. */
  readonly state: VerifierState | null;
  readonly checkpoints: number;
  readonly added: number;
  readonly complaints: readonly LogComplaint[];
}

/**
 * Longest delay between the facts of a rating and its log entry: a job takes minutes, and an outage of the log may take
 * longer.
 */
export const LATEST_MS = 24 * 3_600_000;
const EARLIEST_MS = 5 * 60_000;
const MOST_COMPLAINTS = 1_000;

/**
 * Reads the entries added since `before` and checks them against every signed checkpoint. A leaf that was changed,
 * dropped, moved or inserted gives a root other than the signed one. A checkpoint that is not consistent with `before`
 * belongs to another tree than the one seen earlier. Trusts only `keys` and `before`. `onEntry` is called for each
 * leaf.
 */
export async function verifyLog(
  reader: LogReader,
  keys: readonly Pick<NoteKey, 'x'>[],
  before: VerifierState | null,
  onEntry: (entry: LogEntry, index: number) => void = () => undefined,
): Promise<Verification> {
  const complaints: LogComplaint[] = [];
  const complain = (kind: LogComplaint['kind'], at: number, detail: string) => {
    if (complaints.length < MOST_COMPLAINTS) complaints.push({ kind, at, detail });
  };
  const frontier =
    before === null
      ? new Frontier()
      : new Frontier(
          before.size,
          before.parts.map((part) => Buffer.from(part, 'base64')),
        );
  let state = before;
  let checkpoints = 0;
  let page: readonly string[] = [];
  let offset = 0;

  const result = () => ({ state, checkpoints, added: frontier.size - (before?.size ?? 0), complaints });
  if (before !== null && !(await stillShows(reader, before.size, frontier.root()))) {
    complain('history_changed', before.size, 'the log no longer shows the checkpoint that was verified before');
    return result();
  }
  for (let after = frontier.size; ; ) {
    const notes = await reader.checkpoints(after);
    if (notes.length === 0) return result();
    for (const note of notes) {
      const read = readCheckpoint(note);
      const fault = faultOf(read, state, after, keys);
      if (read === null || fault !== null) {
        complain(fault?.kind ?? 'unreadable', after, fault?.detail ?? 'no signed checkpoint');
        return result();
      }
      const { checkpoint } = read;
      while (frontier.size < checkpoint.size) {
        if (offset === page.length) [page, offset] = [await reader.entries(frontier.size), 0];
        const input = page[offset];
        if (input === undefined) {
          complain(
            'entry_missing',
            frontier.size,
            `the checkpoint says ${checkpoint.size} ratings, and there are fewer`,
          );
          return result();
        }
        offset += 1;
        const entry = readEntry(input);
        if (entry === null) complain('unreadable', frontier.size, 'the leaf is no entry');
        else {
          const dated = datedOf(entry, checkpoint.at, state);
          if (dated !== null) complain(dated.kind, frontier.size, `${entry.asset}: ${dated.detail}`);
          onEntry(entry, frontier.size);
        }
        frontier.add(hashLeaf(Buffer.from(input)));
      }
      if (!isSame(frontier.root(), checkpoint.root)) {
        complain('history_changed', checkpoint.size, 'the ratings do not make the tree that was signed');
        return result();
      }
      checkpoints += 1;
      after = checkpoint.size;
      state = {
        origin: checkpoint.origin,
        size: checkpoint.size,
        parts: frontier.parts.map((part) => Buffer.from(part).toString('base64')),
        checkpoint: note,
        at: checkpoint.at,
      };
    }
  }
}

/**
 * True when the log shows the checkpoint of this size with this root. A log that was cut off shows no newer checkpoints
 * either, as one to which nothing was added. Every log begins with the empty tree.
 */
async function stillShows(reader: LogReader, size: number, root: Uint8Array): Promise<boolean> {
  if (size === 0) return true;
  const [note] = await reader.checkpoints(size - 1);
  const read = note === undefined ? null : readCheckpoint(note);
  return read !== null && read.checkpoint.size === size && isSame(read.checkpoint.root, root);
}

/** Error in a checkpoint before its tree is checked; null if there is none. */
function faultOf(
  read: SignedCheckpoint | null,
  state: VerifierState | null,
  after: number,
  keys: readonly Pick<NoteKey, 'x'>[],
): Pick<LogComplaint, 'kind' | 'detail'> | null {
  if (read === null) return { kind: 'unreadable', detail: 'no signed checkpoint' };
  const { origin, size, at } = read.checkpoint;
  if (state !== null && origin !== state.origin)
    return { kind: 'other_log', detail: `it is of ${origin}, and ${state.origin} was verified before` };
  const named = keys.map(({ x }) => ({ name: origin, x }));
  if (!isSignedBy(read, named)) return { kind: 'wrong_signature', detail: 'none of the keys signed the checkpoint' };
  if (size <= after) return { kind: 'history_changed', detail: `a checkpoint of ${size} ratings comes after ${after}` };
  if (state !== null && Date.parse(at) < Date.parse(state.at))
    return { kind: 'time_runs_back', detail: `it is dated ${at}, after one of ${state.at}` };
  return null;
}

/**
 * Error in the time of an entry; null if there is none. Without an earlier state, entries may be older, because the
 * first tree includes ratings from before the log began.
 */
function datedOf(
  { asOf }: LogEntry,
  signedAt: string,
  state: VerifierState | null,
): Pick<LogComplaint, 'kind' | 'detail'> | null {
  const late = Date.parse(signedAt) - Date.parse(asOf);
  if (late < -EARLIEST_MS) return { kind: 'dated_ahead', detail: `dated ${asOf}, logged by ${signedAt}` };
  const sinceSeen = state === null ? 0 : Date.parse(state.at) - Date.parse(asOf);
  return sinceSeen > LATEST_MS
    ? { kind: 'dated_back', detail: `dated ${asOf}, and not in the log of ${state?.at}` }
    : null;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Parses the input of a leaf; null if it is malformed. */
export function readEntry(input: string): LogEntry | null {
  try {
    const { asset, as_of, record_sha256, ...rest } = JSON.parse(input);
    const isEntry =
      typeof asset === 'string' &&
      typeof as_of === 'string' &&
      !Number.isNaN(Date.parse(as_of)) &&
      typeof record_sha256 === 'string' &&
      SHA256.test(record_sha256) &&
      Object.keys(rest).length === 0;
    return isEntry ? { asset, asOf: as_of, recordSha256: record_sha256 } : null;
  } catch {
    return null;
  }
}
