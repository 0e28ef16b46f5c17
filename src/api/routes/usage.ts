import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import type { Statement, UsageService } from '../../access/index.ts';
import { statementCsv, sumsBy, sumsOf } from '../../access/index.ts';
import {
  KEYED,
  problems,
  StatementQuery,
  StatementReply,
  UsageQuery,
  UsageReply,
  viewOf,
} from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { type Problem, sendProblem, validationFailed } from '../replies/problems.ts';
import { keyOf } from '../requests/account-request.ts';
import { type QueryValues, readQuery } from '../requests/read-query.ts';

const MOST_DAYS = 400;
const GROUPS = {
  day: ['day', 'day'],
  key: ['keyId', 'keyId'],
  endpoint_group: ['group', 'endpointGroup'],
  plan: ['plan', 'plan'],
} as const;
/** Every account may see what it used, whatever its keys may do. */
const anyKey = { config: { scope: 'any' as const } };
const shared = { tags: ['usage'], security: KEYED };

/** GET /v1/usage and GET /v1/usage/statement: of the caller's account; of any for administrators. */
export function usageRoutes(server: FastifyInstance, context: ApiContext, usage: UsageService): void {
  const { dataMode } = context;

  server.get(
    '/v1/usage',
    {
      ...anyKey,
      schema: {
        ...shared,
        operationId: 'getUsage',
        summary: 'What the account has used',
        description: 'Counted within a second, kept for good. An account sees its own usage only.',
        querystring: UsageQuery,
        response: { 200: UsageReply, ...problems(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const read = await readAccount(UsageQuery, usage, request, reply);
      if (!read.ok) return sendProblem(reply, read.problem);
      const now = Date.now();
      const to = String(read.query.to ?? dayOf(now));
      const from = String(read.query.from ?? `${to.slice(0, 8)}01`);
      const errors = complaintsOfSpan(from, to);
      if (errors.length > 0) return sendProblem(reply, validationFailed(errors));
      const by = (read.query.group_by ?? 'day') as keyof typeof GROUPS;
      const [field, name] = GROUPS[by];
      const rows = await usage.read(read.accountId, from, to);
      return reply.header('cache-control', 'private, no-store').send(
        viewOf(UsageReply, {
          accountId: read.accountId,
          from,
          to,
          groupBy: by,
          data: sumsBy(rows, field).map(({ value, ...sums }) => ({ [name]: value, ...sums })),
          totals: sumsOf(rows),
          nextCursor: null,
          asOf: new Date(now).toISOString(),
          dataMode,
        }),
      );
    },
  );

  server.get(
    '/v1/usage/statement',
    {
      ...anyKey,
      schema: {
        ...shared,
        operationId: 'getStatement',
        summary: 'The account’s statement of a month',
        description:
          'A line for each plan the account held: price, requests, quota, the measured service level and what is owed for it. Money in US dollars, exact to the cent. The present month is a preview (`final` is false).',
        querystring: StatementQuery,
        response: {
          200: {
            description: 'The statement.',
            content: {
              'application/json': { schema: StatementReply },
              'text/csv': { schema: Type.String({ description: 'A row for each plan, then TOTAL.' }) },
            },
          },
          ...problems(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const read = await readAccount(StatementQuery, usage, request, reply);
      if (!read.ok) return sendProblem(reply, read.problem);
      const asOf = new Date().toISOString();
      const month = String(read.query.month ?? asOf.slice(0, 7));
      if (month > asOf.slice(0, 7))
        return sendProblem(
          reply,
          validationFailed([
            { pointer: '/month', code: 'in_the_future', detail: `expected ${asOf.slice(0, 7)} or an earlier month` },
          ]),
        );
      const statement = await usage.statement(read.accountId, month);
      reply.header('cache-control', 'private, no-store');
      if (read.query.format !== 'csv') return reply.send(statementView(statement, asOf, dataMode));
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="statement-${read.accountId}-${month}.csv"`)
        .send(statementCsv([statement]));
    },
  );
}

type Read =
  | { readonly ok: true; readonly accountId: string; readonly query: QueryValues }
  | { readonly ok: false; readonly problem: Problem };

/** The query, and the account it is about: the key's own unless an administrator names another. */
async function readAccount(
  schema: TObject,
  usage: UsageService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Read> {
  const read = readQuery(schema, request, reply);
  if (!read.ok) return { ok: false, problem: validationFailed(read.errors) };
  const key = keyOf(request);
  const wanted = read.value.account;
  if (wanted === undefined || wanted === key.accountId)
    return { ok: true, accountId: key.accountId, query: read.value };
  if (!key.scopes.includes('admin')) return { ok: false, problem: ANOTHER_ACCOUNT };
  if (!(await usage.accounts()).includes(String(wanted))) return { ok: false, problem: ACCOUNT_NOT_FOUND };
  return { ok: true, accountId: String(wanted), query: read.value };
}

function complaintsOfSpan(from: string, to: string) {
  const errors = Object.entries({ from, to })
    .filter(([, day]) => !isDay(day))
    .map(([name]) => ({ pointer: `/${name}`, code: 'malformed', detail: 'expected a day that exists, as YYYY-MM-DD' }));
  if (errors.length > 0) return errors;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return [{ pointer: '/from', code: 'after_to', detail: `expected ${to} (to) or an earlier day` }];
  if (days > MOST_DAYS)
    return [{ pointer: '/from', code: 'span_too_long', detail: `expected at most ${MOST_DAYS} days, got ${days}` }];
  return [];
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at) && dayOf(at) === text;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const ANOTHER_ACCOUNT: Problem = {
  status: 403,
  code: 'missing_scope',
  title: 'The key may not do this',
  detail:
    'Usage of another account needs the scope admin. Without account= the usage of the key’s own account is given.',
  retry: 'no',
  more: { required_scope: 'admin' },
};

const ACCOUNT_NOT_FOUND: Problem = {
  status: 404,
  code: 'account_not_found',
  title: 'There is no such account',
  detail: 'No key has ever belonged to this account; GET /v1/admin/keys lists keys with their accounts.',
  retry: 'no',
};

function statementView(statement: Statement, asOf: string, dataMode: 'live' | 'sandbox') {
  return viewOf(StatementReply, {
    ...statement,
    final: statement.isFinal,
    currency: 'USD',
    lines: statement.lines.map((line) => ({
      ...line,
      fullestDay: line.fullestDay?.day ?? null,
      fullestDayBillable: line.fullestDay?.billable ?? 0,
    })),
    asOf,
    dataMode,
  });
}
