import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { MethodologyChanges, MethodologyData, problems, type Reply } from '../../contract/index.ts';
import { methodologyChanges, methodologyVersions, movesOf } from '../../methodology/index.ts';
import type { ApiContext } from '../context.ts';
import { sendProblem } from '../replies/problems.ts';
import { sendTagged } from '../replies/send-tagged.ts';

const VersionParam = Type.Object({
  version: Type.String({
    description: 'Version of the methodology, as `methodology_version` of a rating.',
    examples: ['0.1.0'],
  }),
});
const SAME = { 304: Type.Null({ description: 'It is still the one named in If-None-Match.' }) };

/** The rating methodology as data: weights, anchors, caps, bands, flags; its versions, and why they changed. Open. */
export function methodologyRoutes(server: FastifyInstance, context: ApiContext): void {
  const versions = methodologyVersions();
  const changes: Reply<typeof MethodologyChanges> = {
    data: methodologyChanges().map((change) => {
      const kept = versions.find((one) => one.version === change.version);
      return {
        id: `methodology-${change.version}`,
        ...change,
        moves: movesOf(change.version),
        in_force: kept?.inForce ?? false,
        hash: kept?.hash ?? '',
        href: `/v1/methodology/${change.version}`,
      };
    }),
    next_cursor: null,
    data_mode: context.dataMode,
  };
  const changesJson = JSON.stringify(changes);
  const changesTag = createHash('sha256').update(changesJson).digest('hex').slice(0, 32);

  server.get(
    '/v1/methodology',
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'getMethodology',
        summary: 'The methodology in force, as data',
        description: 'Everything that decides about a score, in one file. Open to everybody; it has an `ETag`.',
        response: { 200: MethodologyData, ...SAME },
      },
    },
    (request, reply) =>
      sendMethodology(request, reply, {
        hash: context.methodologyHash,
        json: context.methodologyJson,
        maxAgeSeconds: 300,
      }),
  );
  server.get(
    '/v1/methodology/changes',
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'listMethodologyChanges',
        summary: 'What changed in the methodology, when and why',
        description: 'Every version, its reason and what it did to ratings. Open to everybody.',
        response: { 200: MethodologyChanges, ...SAME },
      },
    },
    (request, reply) =>
      sendTagged(request, reply, { hash: changesTag, json: changesJson, cacheControl: 'public, max-age=300' }),
  );
  server.get(
    '/v1/methodology/:version',
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'getMethodologyVersion',
        summary: 'A version of the methodology, as it was',
        description: 'Versions are kept for good: a rating can be recomputed by the rules it was made by.',
        params: VersionParam,
        response: { 200: MethodologyData, ...SAME, ...problems(404) },
      },
    },
    async (request, reply) => {
      const { version } = request.params as { readonly version: string };
      const kept = versions.find((one) => one.version === version);
      if (kept) return sendMethodology(request, reply, { ...kept, maxAgeSeconds: 86_400 });
      return sendProblem(reply, {
        status: 404,
        code: 'no_such_methodology',
        title: 'There is no such version of the methodology',
        detail: `The versions are ${versions.map((one) => one.version).join(', ')}; GET /v1/methodology/changes says what changed.`,
        retry: 'no',
        more: { kept: versions.map((one) => one.version) },
      });
    },
  );
}

function sendMethodology(
  request: FastifyRequest,
  reply: FastifyReply,
  { hash, json, maxAgeSeconds }: { readonly hash: string; readonly json: string; readonly maxAgeSeconds: number },
): Promise<FastifyReply> {
  reply.header('assay-methodology-hash', hash);
  return sendTagged(request, reply, { hash, json, cacheControl: `public, max-age=${maxAgeSeconds}` });
}
