import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
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
import {
  type RegisterName,
  registerNames,
  registerPage,
  registerSchema,
  registerSummaries,
} from '../../registers/index.ts';
import type { ApiContext } from '../context.ts';
import { sendProblem } from '../replies/problems.ts';
import { sendTagged } from '../replies/send-tagged.ts';
import type { Routes } from '../requests/read-requests.ts';

/** The kept registers with the provenance of every cell. Open, as the methodology is: what decides a rating can be looked up. */
export function registerRoutes(server: Routes, { dataMode, now }: Pick<ApiContext, 'dataMode' | 'now'>): void {
  const at = () => new Date(now()).toISOString();
  const named = (name: string): RegisterName | null => registerNames().find((one) => one === name) ?? null;

  server.get(
    '/v1/registers',
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'listRegisters',
        summary: 'The kept registers',
        description:
          'Facts that no API states are kept in registers, each row with its sources, reviewers and expiry (docs/registers.md). Open to everybody; it has an `ETag`.',
        response: { 200: RegisterList, ...NOT_MODIFIED },
      },
    },
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
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'listRegisterRows',
        summary: 'The rows of a register',
        description:
          'Every row with the state, source and expiry of each cell, by id in pages; rows of the operator of this service are marked. Open to everybody; each page has an `ETag`.',
        params: RegisterParams,
        querystring: RegisterQuery,
        response: { 200: RegisterRows, ...NOT_MODIFIED, ...problems(400, 404) },
      },
    },
    async (request, reply) => {
      const { name } = request.params as { readonly name: string };
      const register = named(name);
      if (register === null) return noSuchRegister(reply);
      const { asset = null, state = null, limit, cursor } = request.query;
      const after = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString();
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
    {
      compress: false,
      schema: {
        tags: ['service'],
        operationId: 'getRegisterSchema',
        summary: 'The schema of a register',
        description:
          'JSON Schema that the file of the register has to fit, shipped or the operator’s own. Open to everybody.',
        params: RegisterParams,
        response: { 200: RegisterSchemaData, ...NOT_MODIFIED, ...problems(404) },
      },
    },
    async (request, reply) => {
      const { name } = request.params as { readonly name: string };
      const register = named(name);
      return register === null ? noSuchRegister(reply) : send(request, reply, registerSchema(register));
    },
  );
}

function send(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
  const json = JSON.stringify(body);
  const hash = createHash('sha256').update(json).digest('hex').slice(0, 32);
  return sendTagged(request, reply, { hash, json, cacheControl: 'public, max-age=300' });
}

function noSuchRegister(reply: FastifyReply): FastifyReply {
  const names = registerNames();
  return sendProblem(reply, {
    status: 404,
    code: 'no_such_register',
    title: 'There is no such register',
    detail: `The registers are ${names.join(', ')}.`,
    retry: 'no',
    more: { registers: names },
  });
}
