import type { PublicKey, Signer } from '../signing/index.ts';
import {
  appendHead,
  appendLeaves,
  appendTile,
  type Database,
  headOfSize,
  headsAfter,
  isLogWaiting,
  keepCosignature,
  type LogHead,
  leavesOfAsset,
  lockLog,
  newestHead,
  readLeaves,
  readTiles,
  takeQueued,
} from '../store/index.ts';
import {
  checkpointText,
  cosignatureOf,
  type NoteKey,
  readCheckpoint,
  type SignedCheckpoint,
  signatureLine,
} from './checkpoint.ts';
import { consistencyProof, type Hash, hashLeaf, inclusionProof } from './merkle.ts';
import { hashTile, leafInput, subtreesOf, TILE_WIDTH } from './tiles.ts';

export interface LogOptions {
  readonly db: Database;
  readonly signer: Pick<Signer, 'sign' | 'keys'>;
  /** Keys of witnesses whose signatures are accepted. */
  readonly witnesses: readonly NoteKey[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A leaf with its inclusion proof for a checkpoint. */
export interface Inclusion {
  readonly index: number;
  readonly input: string;
  readonly size: number;
  readonly path: readonly Hash[];
  /** The signed note of this size, with the signature lines of witnesses. */
  readonly checkpoint: string;
}

export interface TransparencyLog {
  /** Appends all waiting ratings and signs the new tree; returns their number. One process at a time runs this. */
  integrate(): Promise<number>;
  /** The newest signed checkpoint; null before the first. */
  checkpoint(): Promise<string | null>;
  /** Signed checkpoints of more than `after` leaves, the smallest first. */
  checkpoints(after: number, limit: number): Promise<readonly { readonly size: number; readonly note: string }[]>;
  /** Leaves from an index on, up to the newest checkpoint. */
  entries(
    from: number,
    limit: number,
  ): Promise<{
    readonly size: number;
    readonly entries: readonly { readonly index: number; readonly input: string }[];
  }>;
  /** Leaf indices of the ratings of an asset after an index, each with its proof in the newest tree. */
  inclusions(assetId: string, page: { readonly after: number; readonly limit: number }): Promise<readonly Inclusion[]>;
  /** Proof that the tree of `size` is consistent with that of `before`; null if the log does not have these sizes. */
  consistency(before: number, size: number): Promise<readonly Hash[] | null>;
  /** Stores a witness's signature of a checkpoint (the text of its signed note, or its signature line alone). */
  witness(note: string): Promise<'kept' | 'unreadable' | 'unknown_checkpoint' | 'unknown_witness'>;
}

const MOST_AT_ONCE = 10_000;
const ORIGIN_PREFIX = 'assay.log/';

/** Name of the log, from the installation's first key, which never changes. */
export function originOf(keys: readonly Pick<PublicKey, 'kid'>[]): string {
  const first = keys.at(-1);
  if (first === undefined) throw new Error('a log needs a signing key');
  return `${ORIGIN_PREFIX}${first.kid}`;
}

/** The append-only log of published ratings (RFC 6962 hashes, C2SP checkpoints), kept in the database. */
export function openLog({ db, signer, witnesses, now }: LogOptions): TransparencyLog {
  const hashesFrom = (database: Database) => async (level: number, from: number, to: number) =>
    level === 0
      ? (await readLeaves(database, from, to)).map(({ input }) => hashLeaf(Buffer.from(input)))
      : readTiles(database, level, from, to);

  const integrateSome = () =>
    db.transaction().execute(async (transaction) => {
      await lockLog(transaction);
      const ratings = await takeQueued(transaction, MOST_AT_ONCE);
      if (ratings.length === 0) return 0;
      const newest = await newestHead(transaction);
      const before = newest?.size ?? 0;
      const leaves = ratings.map((rating, offset) => ({
        index: before + offset,
        input: leafInput({ ...rating, asset: rating.assetId }).toString(),
      }));
      await appendLeaves(transaction, ratings, leaves);
      const size = before + leaves.length;
      const hashes = hashesFrom(transaction);
      for (let [level, width] = [1, TILE_WIDTH]; width <= size; level += 1, width *= TILE_WIDTH)
        for (let index = Math.floor(before / width); index < Math.floor(size / width); index += 1) {
          const hash = hashTile(await hashes(level - 1, index * TILE_WIDTH, (index + 1) * TILE_WIDTH));
          await appendTile(transaction, { level, index, hash });
        }
      const root = await subtreesOf(hashes)(0, size);
      const keys = await signer.keys();
      // Clocks are set back, and those of two processes differ; verifiers take an older checkpoint for a history made anew.
      const at = new Date(newest ? Math.max(now(), Date.parse(newest.at)) : now()).toISOString();
      const text = checkpointText({ origin: originOf(keys), size, root, at });
      const signature = signer.sign(Buffer.from(text));
      const key = keys.find(({ kid }) => kid === signature.key_id);
      if (key === undefined) throw new Error(`the signing key ${signature.key_id} is not published`);
      const line = signatureLine({ name: originOf(keys), x: key.x }, 'log', Buffer.from(signature.value, 'base64'));
      await appendHead(transaction, { size, root: Buffer.from(root), at, note: `${text}\n${line}` });
      return leaves.length;
    });

  return {
    async integrate() {
      let added = 0;
      while (await isLogWaiting(db)) added += await integrateSome();
      return added;
    },
    async checkpoint() {
      const head = await newestHead(db);
      return head && noteOf(head);
    },
    checkpoints: async (after, limit) =>
      (await headsAfter(db, after, limit)).map((head) => ({ size: head.size, note: noteOf(head) })),
    async entries(from, limit) {
      const size = (await newestHead(db))?.size ?? 0;
      return { size, entries: from >= size ? [] : await readLeaves(db, from, Math.min(size, from + limit)) };
    },
    async inclusions(assetId, page) {
      const head = await newestHead(db);
      if (head === null) return [];
      const subtree = subtreesOf(hashesFrom(db));
      const leaves = (await leavesOfAsset(db, assetId, page)).filter(({ index }) => index < head.size);
      return Promise.all(
        leaves.map(async ({ index, input }) => ({
          index,
          input,
          size: head.size,
          path: await inclusionProof(index, head.size, subtree),
          checkpoint: noteOf(head),
        })),
      );
    },
    async consistency(before, size) {
      const newest = (await newestHead(db))?.size ?? 0;
      if (before > size || size > newest) return null;
      return consistencyProof(before, size, subtreesOf(hashesFrom(db)));
    },
    async witness(note) {
      const read = readCheckpoint(note);
      if (read === null) return 'unreadable';
      const head = await headOfSize(db, read.checkpoint.size);
      if (head === null || readCheckpoint(head.note)?.text !== read.text) return 'unknown_checkpoint';
      const signed = witnesses.flatMap((witness) => lineOf(read, witness) ?? []);
      for (const { name, line } of signed) await keepCosignature(db, head.size, `— ${name} `, line);
      return signed.length === 0 ? 'unknown_witness' : 'kept';
    },
  };
}

function noteOf({ note, cosignatures }: LogHead): string {
  return note + cosignatures.join('');
}

/** The signature line of a witness, when it signed the checkpoint. */
function lineOf(read: SignedCheckpoint, witness: NoteKey): { readonly name: string; readonly line: string } | null {
  const signature = cosignatureOf(read, witness);
  return signature === null ? null : { name: witness.name, line: signatureLine(witness, 'witness', signature.value) };
}
