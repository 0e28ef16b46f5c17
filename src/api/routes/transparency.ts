import {
  CheckpointList,
  CheckpointQuery,
  CheckpointText,
  ConsistencyProof,
  ConsistencyQuery,
  CosignatureBody,
  CosignatureReply,
  LogEntryList,
  LogEntryQuery,
  ProofQuery,
  problems,
  RatingProofList,
  type Reply,
} from '../../contract/index.ts';
import type { TransparencyLog } from '../../transparency/index.ts';
import type { ApiContext } from '../context.ts';
import { notFound, type Problem, refuse, refuseField } from '../replies/problems.ts';
import { keyed, unkeyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import { assetOf, assetPaths, type RmsRouting } from '../rms/choose-rating.ts';

const NEWEST = 'public, max-age=10';
const base64 = (hash: Uint8Array) => Buffer.from(hash).toString('base64');

/** The log of published ratings. Open: verifying it needs neither a key nor trust in this service. */
export function transparencyRoutes(
  server: Routes,
  { dataMode }: Pick<ApiContext, 'dataMode'>,
  log: TransparencyLog,
): void {
  server.get(
    '/v1/log/checkpoint',
    unkeyed('transparency', {
      operationId: 'getCheckpoint',
      summary: 'The newest signed tree of the log of published ratings',
      description: 'A signed note, as text, which witnesses and clients of other transparency logs read too.',
      response: {
        200: { description: 'Signed note.', content: { 'text/plain': { schema: CheckpointText } } },
        ...problems(404),
      },
    }),
    async (_request, reply) => {
      const note = await log.checkpoint();
      if (note === null) return refuse(NO_CHECKPOINT);
      return reply.header('cache-control', NEWEST).type('text/plain; charset=utf-8').send(note);
    },
  );

  server.get(
    '/v1/log/checkpoints',
    unkeyed('transparency', {
      operationId: 'listCheckpoints',
      summary: 'All signed trees, the smallest first',
      description: 'None is ever taken back. Open to everybody.',
      querystring: CheckpointQuery,
      response: { 200: CheckpointList, ...problems(400) },
    }),
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const found = await log.checkpoints(Number(cursor ?? 0), limit + 1);
      const page = found.slice(0, limit);
      return reply.header('cache-control', NEWEST).send({
        data: page.map(({ size, note }) => ({ tree_size: size, checkpoint: note })),
        next_cursor: found.length > limit ? String(page.at(-1)?.size) : null,
        data_mode: dataMode,
      } satisfies Reply<typeof CheckpointList>);
    },
  );

  server.get(
    '/v1/log/entries',
    unkeyed('transparency', {
      operationId: 'listLogEntries',
      summary: 'Leaves of the log from a place on',
      description:
        'Which asset was rated as of when, and the hash of the record; the record itself is under /v1/rms/{asset}/history. Open to everybody.',
      querystring: LogEntryQuery,
      response: { 200: LogEntryList, ...problems(400) },
    }),
    async (request, reply) => {
      const { from, limit } = request.query;
      const { size, entries } = await log.entries(from, limit);
      return reply.header('cache-control', NEWEST).send({
        data: entries.map(({ index, input }) => ({ leaf_index: index, leaf: input })),
        tree_size: size,
        data_mode: dataMode,
      } satisfies Reply<typeof LogEntryList>);
    },
  );

  server.get(
    '/v1/log/consistency',
    unkeyed('transparency', {
      operationId: 'getConsistencyProof',
      summary: 'Proof that a newer tree begins with an older one',
      description:
        'A client that kept a checkpoint verifies with it that nothing before was changed. Open to everybody.',
      querystring: ConsistencyQuery,
      response: { 200: ConsistencyProof, ...problems(400) },
    }),
    async (request, reply) => {
      const { from, to } = request.query;
      if (from > to) refuseField('/from', 'out_of_range', 'expected at most `to`');
      const path = await log.consistency(from, to);
      if (path === null)
        return refuseField('/to', 'out_of_range', 'expected at most the size of the newest checkpoint');
      return reply
        .header('cache-control', 'public, max-age=86400')
        .send({ from, to, path: path.map(base64), data_mode: dataMode } satisfies Reply<typeof ConsistencyProof>);
    },
  );

  server.post(
    '/v1/log/cosignatures',
    unkeyed('transparency', {
      operationId: 'addCosignature',
      summary: 'Add a witness’s signature to a checkpoint',
      description:
        'Taken from witnesses that the operator named (ASSAY_LOG_WITNESSES) alone; shown with the checkpoint from then on.',
      body: CosignatureBody,
      response: { 200: CosignatureReply, ...problems(400, 403, 404, 413, 415) },
    }),
    async (request): Promise<Reply<typeof CosignatureReply>> => {
      const outcome = await log.witness(request.body.note);
      if (outcome === 'unreadable')
        return refuseField(
          '/note',
          'malformed',
          'expected a checkpoint and signature lines as GET /v1/log/checkpoint has them',
        );
      return outcome === 'kept' ? { state: 'kept', data_mode: dataMode } : refuse(NOT_TAKEN[outcome]);
    },
  );
}

/** GET /v1/rms/{asset}/proofs. */
export function ratingProofRoutes(server: Routes, routing: RmsRouting, log: TransparencyLog): void {
  for (const { path, about } of assetPaths('/proofs'))
    server.get(
      path,
      keyed('rms:read', 'transparency', {
        ...about,
        operationId: 'listRatingProofs',
        summary: 'Proofs that ratings of an asset are in the log',
        description:
          'One for each published rating, in the newest tree. A rating is in the log within a minute of its publication.',
        querystring: ProofQuery,
        response: { 200: RatingProofList, ...problems(400, 401, 403, 404, 409, 429) },
      }),
      async (request, reply) => {
        const assetId = await assetOf(routing, request, reply);
        if (assetId === null) return reply;
        const { limit, cursor } = request.query;
        const found = await log.inclusions(assetId, { after: Number(cursor ?? -1), limit: limit + 1 });
        const page = found.slice(0, limit);
        return reply.header('cache-control', 'private, max-age=10').send({
          data: page.map(({ index, input, size, path: proof, checkpoint }) => ({
            leaf_index: index,
            leaf: input,
            tree_size: size,
            path: proof.map(base64),
            checkpoint,
          })),
          next_cursor: found.length > limit ? String(page.at(-1)?.index) : null,
          data_mode: routing.context.dataMode,
        } satisfies Reply<typeof RatingProofList>);
      },
    );
}

const NO_CHECKPOINT: Problem = notFound(
  'log_is_empty',
  'The log has no checkpoint yet',
  'No rating was published yet; the first checkpoint follows within a minute of the first published rating.',
);

const NOT_TAKEN: Readonly<Record<'unknown_checkpoint' | 'unknown_witness', Problem>> = {
  unknown_checkpoint: notFound(
    'unknown_checkpoint',
    'There is no such checkpoint',
    'The text is not that of a checkpoint of this log: expected one of GET /v1/log/checkpoints, to the byte.',
  ),
  unknown_witness: {
    status: 403,
    code: 'unknown_witness',
    title: 'No signature is of a known witness',
    detail:
      'The operator names witnesses by their keys in ASSAY_LOG_WITNESSES; no signature below the text is of one of them.',
    retry: 'no',
  },
};
