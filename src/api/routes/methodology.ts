import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  CalibrationData,
  MethodologyChanges,
  MethodologyData,
  NOT_MODIFIED,
  problems,
  RegisterList,
  RegisterParams,
  RegisterQuery,
  RegisterRows,
  RegisterRowView,
  RegisterSchemaData,
  RegisterView,
  type Reply,
  viewOf,
} from '../../contract/index.ts';
import { loadCalibration, methodologyChanges, methodologyVersions, movesOf } from '../../methodology/index.ts';
import {
  type RegisterName,
  registerNames,
  registerPage,
  registerSchema,
  registerSummaries,
} from '../../registers/index.ts';
import type { ApiContext } from '../context.ts';
import { refuse } from '../replies/problems.ts';
import { hashOf, sendTagged } from '../replies/send-json.ts';
import { unkeyedTagged } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';

const VersionParam = Type.Object({
  version: Type.String({
    description: 'Version of the methodology, as `methodology_version` of a rating.',
    examples: ['0.1.0'],
  }),
});
const SAME = { 304: Type.Null({ description: 'It is still the one named in If-None-Match.' }) };

/**
 * The rating methodology as data (weights, anchors, caps, bands, flags), with its versions and the reasons for their
 * changes. Open.
 */
export function methodologyRoutes(server: FastifyInstance, context: ApiContext): void {
  let told: { readonly json: string; readonly tag: string } | null = null;
  /** Computed on the first request: hashing all versions takes a tenth of the startup time. */
  const changes = () => {
    if (told === null) {
      const json = JSON.stringify(changesOf(context));
      told = { json, tag: hashOf(json) };
    }
    return told;
  };

  server.get(
    '/v1/methodology',
    unkeyedTagged('service', {
      operationId: 'getMethodology',
      summary: 'The methodology in force, as data',
      description: 'Everything that determines a score, in one file. Open to everybody; it has an `ETag`.',
      response: { 200: MethodologyData, ...SAME },
    }),
    (request, reply) =>
      sendMethodology(request, reply, { hash: context.methodologyHash, json: context.methodologyJson }, 300),
  );
  server.get(
    '/v1/methodology/changes',
    unkeyedTagged('service', {
      operationId: 'listMethodologyChanges',
      summary: 'What changed in the methodology, when and why',
      description: 'Every version, its reason and what it did to ratings. Open to everybody.',
      response: { 200: MethodologyChanges, ...SAME },
    }),
    (request, reply) => sendTagged(request, reply, changes().json, 'public, max-age=300', changes().tag),
  );
  const calibration = loadCalibration();
  server.get(
    '/v1/methodology/calibration',
    unkeyedTagged('service', {
      operationId: 'getCalibration',
      summary: 'The calibration in force: from scores to probabilities of failure',
      description:
        'What became of assets of known outcome, by group and score, with the cohorts, their failures and the accuracy on others. Open to everybody; its hash is its `ETag`.',
      response: { 200: CalibrationData, ...SAME },
    }),
    (request, reply) => sendTagged(request, reply, calibration.json, 'public, max-age=300', calibration.hash),
  );
  server.get(
    '/v1/methodology/:version',
    unkeyedTagged('service', {
      operationId: 'getMethodologyVersion',
      summary: 'A version of the methodology, as it was',
      description: 'Versions are kept permanently: a rating can be recomputed by the rules it was made by.',
      params: VersionParam,
      response: { 200: MethodologyData, ...SAME, ...problems(404) },
    }),
    async (request, reply) => {
      const { version } = request.params as { readonly version: string };
      const versions = methodologyVersions();
      const kept = versions.find((one) => one.version === version);
      if (kept) return sendMethodology(request, reply, kept, 86_400);
      const names = versions.map((one) => one.version);
      return refuse({
        status: 404,
        code: 'no_such_methodology',
        title: 'There is no such version of the methodology',
        detail: `The versions are ${names.join(', ')}; GET /v1/methodology/changes lists what changed.`,
        retry: 'no',
        more: { kept: names },
      });
    },
  );
}

function changesOf({ dataMode }: ApiContext): Reply<typeof MethodologyChanges> {
  const versions = methodologyVersions();
  return {
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
    data_mode: dataMode,
  };
}

function sendMethodology(
  request: FastifyRequest,
  reply: FastifyReply,
  { hash, json }: { readonly hash: string; readonly json: string },
  maxAgeSeconds: number,
): Promise<FastifyReply> {
  reply.header('assay-methodology-hash', hash);
  return sendTagged(request, reply, json, `public, max-age=${maxAgeSeconds}`, hash);
}

/**
 * The kept registers, with the provenance of every cell. Open like the methodology: the data that decides a rating can
 * be inspected.
 */
export function registerRoutes(server: Routes, { dataMode, now }: Pick<ApiContext, 'dataMode' | 'now'>): void {
  const at = () => new Date(now()).toISOString();
  const send = (request: FastifyRequest, reply: FastifyReply, body: unknown) =>
    sendTagged(request, reply, JSON.stringify(body), 'public, max-age=300');

  server.get(
    '/v1/registers',
    unkeyedTagged('service', {
      operationId: 'listRegisters',
      summary: 'The kept registers',
      description:
        'Facts that no API states are kept in registers, each row with its sources, reviewers and expiry (docs/registers.md). Open to everybody; it has an `ETag`.',
      response: { 200: RegisterList, ...NOT_MODIFIED },
    }),
    (request, reply) =>
      send(request, reply, {
        data: registerSummaries(at()).map((summary) =>
          viewOf(RegisterView, {
            ...summary,
            href: `/v1/registers/${summary.name}`,
            schemaHref: `/v1/registers/${summary.name}/schema`,
          }),
        ),
        next_cursor: null,
        data_mode: dataMode,
      } satisfies Reply<typeof RegisterList>),
  );

  server.get(
    '/v1/registers/:name',
    unkeyedTagged('service', {
      operationId: 'listRegisterRows',
      summary: 'The rows of a register',
      description:
        'Every row with the state, source and expiry of each cell, by id in pages; rows of the operator of this service are marked. Open to everybody; each page has an `ETag`.',
      params: RegisterParams,
      querystring: RegisterQuery,
      response: { 200: RegisterRows, ...NOT_MODIFIED, ...problems(400, 404) },
    }),
    async (request, reply) => {
      const register = registerOf(request);
      const { asset = null, state = null, limit, cursor } = request.query;
      const after = placeAt(cursor, (given) => {
        const text = Buffer.from(given, 'base64url').toString();
        return Buffer.from(text).toString('base64url') === given ? text : null;
      });
      const page = registerPage(register, { asset, state, after, limit }, at());
      return send(request, reply, {
        register,
        data: (page?.rows ?? []).map((row) => viewOf(RegisterRowView, row)),
        next_cursor: page?.next == null ? null : Buffer.from(page.next).toString('base64url'),
        data_mode: dataMode,
      } satisfies Reply<typeof RegisterRows>);
    },
  );

  server.get(
    '/v1/registers/:name/schema',
    unkeyedTagged('service', {
      operationId: 'getRegisterSchema',
      summary: 'The schema of a register',
      description:
        'JSON Schema that the file of the register has to fit, shipped or the operator’s own. Open to everybody.',
      params: RegisterParams,
      response: { 200: RegisterSchemaData, ...NOT_MODIFIED, ...problems(404) },
    }),
    async (request, reply) => send(request, reply, registerSchema(registerOf(request))),
  );
}

function registerOf({ params }: { readonly params: unknown }): RegisterName {
  const { name } = params as { readonly name: string };
  const names = registerNames();
  return (
    names.find((one) => one === name) ??
    refuse({
      status: 404,
      code: 'no_such_register',
      title: 'There is no such register',
      detail: `The registers are ${names.join(', ')}.`,
      retry: 'no',
      more: { registers: names },
    })
  );
}
