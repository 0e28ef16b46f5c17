import Type from 'typebox';
import { count, DataMode, nextCursor, oneOf } from './vocabulary.ts';

const note = Type.String({
  description:
    'Signed note (C2SP tlog-checkpoint): name of the log, number of leaves, root as base64, `time` in RFC 3339; below, after an empty line, the signature of the log and of witnesses.',
});
const hashes = (description: string) => Type.Array(Type.String({ description: 'SHA-256 as base64.' }), { description });
const size = count('Leaves of the tree.');
const leaf = {
  leaf_index: count('Place in the log, from 0.'),
  leaf: Type.String({
    description:
      'What the leaf is the hash of, as text: canonical JSON of `as_of`, `asset` and `record_sha256`, the SHA-256 of the published record without its signature. Leaf hash: SHA-256 of a zero byte and these bytes (RFC 6962).',
  }),
};

/** The newest checkpoint, as text. */
export const CheckpointText = Type.String({
  title: 'Checkpoint',
  description: 'The newest signed tree, as a signed note (C2SP tlog-checkpoint).',
});
export const CheckpointList = Type.Object(
  {
    data: Type.Array(
      Type.Object({ tree_size: size, checkpoint: note }, { title: 'KeptCheckpoint', description: 'One signed tree.' }),
      { description: 'The smallest first.' },
    ),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'A page of signed checkpoints.' },
);
export const LogEntryList = Type.Object(
  {
    data: Type.Array(Type.Object(leaf, { title: 'LogEntry', description: 'A published rating as the log holds it.' }), {
      description: 'In the order of the log; empty at its end.',
    }),
    tree_size: count('Leaves of the newest checkpoint, up to which entries are read.'),
    data_mode: DataMode,
  },
  { description: 'Leaves of the log from a place on.' },
);
export const ConsistencyProof = Type.Object(
  {
    from: count('Size of the older tree.'),
    to: count('Size of the newer tree.'),
    path: hashes('Proof that the newer tree begins with the older (RFC 9162, 2.1.4); empty where they are one.'),
    data_mode: DataMode,
  },
  { title: 'ConsistencyProof', description: 'Proof that nothing before was changed.' },
);
export const RatingProofList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          ...leaf,
          tree_size: size,
          path: hashes('Audit path from the leaf to the root of that tree (RFC 9162, 2.1.3).'),
          checkpoint: note,
        },
        { title: 'RatingProof', description: 'What proves that a rating is in the log.' },
      ),
      { description: 'In the order of the log.' },
    ),
    next_cursor: nextCursor,
    data_mode: DataMode,
  },
  { description: 'Proofs of the ratings of an asset.' },
);
export const CosignatureReply = Type.Object(
  { state: oneOf('`kept`: it is shown under its checkpoint from now on.', ['kept']), data_mode: DataMode },
  { description: 'The outcome for the signature.' },
);
