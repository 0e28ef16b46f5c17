import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Statement, statementCsv, sumsBy, sumsOf, type UsageService } from '../../access/index.ts';
import { problems, StatementQuery, StatementReply, UsageQuery, UsageReply, viewOf } from '../../contract/index.ts';
import { DAY_MS } from '../../domain/index.ts';
import type { ApiContext } from '../context.ts';
import { notFound, type Problem, refuse, refuseField } from '../replies/problems.ts';
import { keyed, keyOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const MOST_DAYS = 400;
const GROUPS = {
  day: ['day', 'day'],
  key: ['keyId', 'keyId'],
  endpoint_group: ['group', 'endpointGroup'],
  plan: ['plan', 'plan'],
} as const;

/**
 * GET /v1/usage and GET /v1/usage/statement: for the caller's account, or for any account for administrators. Every
 * account may see its own usage, whatever scopes its keys have.
 */
export function usageRoutes(server: Routes, context: ApiContext, usage: UsageService): void {
  const { dataMode } = context;

  server.get(
    '/v1/usage',
    keyed('any', 'usage', {
      operationId: 'getUsage',
      summary: 'What the account has used',
      description: 'Counted within a second, kept permanently. An account sees its own usage only.',
      querystring: UsageQuery,
      response: { 200: UsageReply, ...problems(400, 401, 403, 404, 429) },
    }),
    async (request) => {
      const accountId = await accountFor(request, request.query.account, usage);
      const now = usage.now();
      const { to = dayOf(now), from = `${to.slice(0, 8)}01`, group_by: by } = request.query;
      checkSpan(from, to);
      const [field, name] = GROUPS[by];
      const rows = await usage.read(accountId, from, to);
      return viewOf(UsageReply, {
        accountId,
        from,
        to,
        groupBy: by,
        data: sumsBy(rows, field).map(({ value, ...sums }) => ({ [name]: value, ...sums })),
        totals: sumsOf(rows),
        nextCursor: null,
        asOf: new Date(now).toISOString(),
        dataMode,
      });
    },
  );

  server.get(
    '/v1/usage/statement',
    keyed('any', 'usage', {
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
    }),
    async (request, reply) => {
      const accountId = await accountFor(request, request.query.account, usage);
      const asOf = new Date(usage.now()).toISOString();
      const month = request.query.month ?? asOf.slice(0, 7);
      if (month > asOf.slice(0, 7))
        refuseField('/month', 'in_the_future', `expected ${asOf.slice(0, 7)} or an earlier month`);
      const statement = await usage.statement(accountId, month);
      if (request.query.format !== 'csv') return reply.send(statementView(statement, asOf, dataMode));
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="statement-${accountId}-${month}.csv"`)
        .send(statementCsv([statement]));
    },
  );
}

/** The account of a query: the key's own, unless an administrator names another. */
async function accountFor(request: FastifyRequest, wanted: string | undefined, usage: UsageService): Promise<string> {
  const { accountId, scopes } = keyOf(request);
  if (wanted === undefined || wanted === accountId) return accountId;
  if (!scopes.includes('admin')) refuse(ANOTHER_ACCOUNT);
  return (await usage.accounts()).includes(wanted) ? wanted : refuse(ACCOUNT_NOT_FOUND);
}

function checkSpan(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) refuseField('/from', 'after_to', `expected ${to} (to) or an earlier day`);
  if (days > MOST_DAYS) refuseField('/from', 'span_too_long', `expected at most ${MOST_DAYS} days, got ${days}`);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const ANOTHER_ACCOUNT: Problem = {
  status: 403,
  code: 'missing_scope',
  title: 'The key lacks the required scope',
  detail:
    'Usage of another account needs the scope admin. Without account= the usage of the key’s own account is given.',
  retry: 'no',
  more: { required_scope: 'admin' },
};

const ACCOUNT_NOT_FOUND = notFound(
  'account_not_found',
  'There is no such account',
  'No key has ever belonged to this account; GET /v1/admin/keys lists keys with their accounts.',
);

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
