import type { FastifyInstance } from 'fastify';
import { includes, type PlanBook, type ServiceLevelReader, serviceLevelStatus } from '../../access/index.ts';
import {
  ChainList,
  KeySet,
  Live,
  PlanList,
  PlanView,
  problems,
  Ready,
  type Reply,
  ServiceLevelView,
  SourceStatusView,
  StatusReply,
  viewOf,
} from '../../contract/index.ts';
import type { Payments } from '../../payments/index.ts';
import type { ChainRouting } from '../chain/chain-routing.ts';
import type { ApiContext, ChainServices } from '../context.ts';
import { PROBLEMS, refuse } from '../replies/problems.ts';
import { keyed, unkeyed } from '../requests/account-request.ts';

/** Liveness and readiness, open to everybody. */
export function healthRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/healthz',
    unkeyed('service', {
      operationId: 'getLiveness',
      summary: 'The process is alive',
      description: 'For process supervisors: it does not use the database.',
      response: { 200: Live },
    }),
    async (): Promise<Reply<typeof Live>> => ({
      status: 'ok',
      version: context.version,
      data_mode: context.dataMode,
    }),
  );
  server.get(
    '/readyz',
    unkeyed('service', {
      operationId: 'getReadiness',
      summary: 'The service can take work',
      description: 'For load balancers: 503 while the database is away or the service stops; `checks` states which.',
      response: { 200: Ready, ...problems(503) },
    }),
    async () => {
      const { ok, checks } = await context.ready();
      if (!ok) refuse({ ...PROBLEMS.notReady, more: { checks }, headers: { 'retry-after': '5' } });
      return { status: 'ready', checks, data_mode: context.dataMode } satisfies Reply<typeof Ready>;
    },
  );
}

type Indexed = Awaited<ReturnType<ChainServices['indexerStatus']>>;
type Lag = Indexed['lag'][number];
type Level = Reply<typeof StatusReply>['service_level'];
type Sources = Reply<typeof StatusReply>['sources'];

/** Time for which one reading of the indexer's state is served: the page is open to everybody and must be cheap. */
const STATUS_MS = 1_000;

/** GET /v1/chains and GET /v1/status. */
export function chainStatusRoutes(server: FastifyInstance, routing: ChainRouting): void {
  const { context, services, plans } = routing;
  let read: { readonly at: number; readonly all: Promise<readonly [Indexed, Level, Sources]> } | null = null;
  // Uses the clock by which the service level is measured.
  const level = async (): Promise<Level> =>
    context.usage
      ? serviceLevelView(context.usage.serviceLevel, plans, new Date(context.usage.now()).toISOString().slice(0, 7))
      : null;
  const sources = async (): Promise<Sources> =>
    ((await context.sources?.()) ?? []).map((row) => viewOf(SourceStatusView, row));

  server.get(
    '/v1/chains',
    keyed('chain:read', 'chain data', {
      operationId: 'listChains',
      summary: 'The chains served, and the plans that include them',
      description: 'The names used in paths, in a fixed order.',
      response: { 200: ChainList, ...problems(401, 403, 429) },
    }),
    async (_request, reply): Promise<Reply<typeof ChainList>> => {
      reply.header('cache-control', 'private, max-age=300');
      return {
        data: routing.chains.map((chain) => ({
          chain: chain.name,
          title: chain.title,
          kind: chain.kind,
          caip2: chain.caip2,
          native_symbol: chain.native.symbol,
          included_in: plans.plans
            .filter((plan) => includes(plan, { scope: 'chain:read', chain: chain.name, exportOf: null }))
            .map((plan) => plan.name),
        })),
        next_cursor: null,
        data_mode: context.dataMode,
      };
    },
  );

  server.get(
    '/v1/status',
    unkeyed('service', {
      operationId: 'getStatus',
      description: 'Open to everybody; read anew at most once a second.',
      summary: 'How fresh the chain data is, how the sources are, and the service level as the service measures it',
      response: { 200: StatusReply },
    }),
    async (_request, reply): Promise<Reply<typeof StatusReply>> => {
      const now = context.now();
      if (read === null || now - read.at >= STATUS_MS)
        read = { at: now, all: Promise.all([services.indexerStatus(), level(), sources()]) };
      const [{ lag, closed }, serviceLevel, standings] = await read.all.catch((error: unknown) => {
        read = null;
        throw error;
      });
      reply.header('cache-control', 'public, max-age=5');
      return {
        status: overall(lag),
        data_mode: context.dataMode,
        version: context.version,
        as_of: new Date(now).toISOString(),
        chains: routing.chains.map((chain) => ({
          chain: chain.name,
          last_closed_day: closed.find((row) => row.chain === chain.name)?.day ?? null,
          snapshots: lag.filter((row) => row.chain === chain.name).map((row) => lagView(row, now)),
        })),
        sources: standings,
        service_level: serviceLevel,
      };
    },
  );
}

/** A kind lags when its 99th percentile is later than this; smaller delays are normal variation of the schedule. */
const LATE_SECONDS = 300;

function overall(lag: readonly Lag[]): 'ok' | 'lagging' | 'unknown' {
  if (lag.some((row) => row.lateSecondsP99 > LATE_SECONDS)) return 'lagging';
  return lag.length > 0 ? 'ok' : 'unknown';
}

function lagView(row: Lag, now: number): Reply<typeof StatusReply>['chains'][number]['snapshots'][number] {
  const stored = row.lastStoredAt;
  return {
    kind: row.kind,
    indexed_assets: row.assets,
    due: row.due,
    running: row.running,
    failing: row.failing,
    late_seconds_p50: row.lateSecondsP50,
    late_seconds_p99: row.lateSecondsP99,
    last_stored_at: stored,
    last_stored_age_seconds: stored === null ? null : Math.max(0, Math.floor((now - Date.parse(stored)) / 1000)),
  };
}

/** The measured service level, and how each plan's promises were met in a month (YYYY-MM). */
async function serviceLevelView(
  reader: ServiceLevelReader,
  plans: PlanBook,
  month: string,
): Promise<Reply<typeof ServiceLevelView>> {
  const [measuredSince, windows, measured] = await Promise.all([reader.since(), reader.windows(), reader.month(month)]);
  return viewOf(ServiceLevelView, {
    measuredSince,
    windows: windows.map((row) => ({
      ...row,
      freshness: row.freshness.map((age) => ({
        ...age,
        ageSecondsP50: Math.round(age.ageP50Seconds),
        ageSecondsP99: Math.round(age.ageP99Seconds),
      })),
    })),
    plans: plans.plans.flatMap((plan) => {
      if (plan.sla === null) return [];
      const standing = serviceLevelStatus(plan, plan.sla, measured);
      return [{ plan: plan.name, month, targets: plan.sla, met: standing.breaches.length === 0, ...standing }];
    }),
  });
}

/** GET /v1/plans, open to everybody. */
export function planRoutes(server: FastifyInstance, { plans, payments, dataMode }: ApiContext): void {
  server.get(
    '/v1/plans',
    unkeyed('service', {
      operationId: 'listPlans',
      summary: 'The plans, their limits and prices',
      description: 'Open to everybody. An operator may change them (docs/plans.md).',
      response: { 200: PlanList },
    }),
    async (_request, reply): Promise<Reply<typeof PlanList>> => {
      reply.header('cache-control', 'public, max-age=300');
      return {
        data: plans.plans.map((plan) => viewOf(PlanView, plan)),
        pay_per_call: payments === undefined ? null : soldOf(payments.terms),
        next_cursor: null,
        data_mode: dataMode,
      };
    },
  );
}

function soldOf({ network, token, tokenName, payTo, prices }: Payments['terms']) {
  return { protocol: 'x402' as const, network, token, token_name: tokenName, pay_to: payTo, prices };
}

/** Public keys that verify the signatures of manifests and ratings (JWK set, RFC 8037). Open. */
export function wellKnownRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get(
    '/.well-known/assay-keys.json',
    unkeyed('service', {
      operationId: 'listSigningKeys',
      summary: 'Public keys of our signatures',
      description: 'Retired keys stay listed: what they signed can still be checked.',
      response: { 200: KeySet },
    }),
    async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').send({
        keys: await context.signingKeys(),
        attestation_keys: await context.attestationKeys(),
        data_mode: context.dataMode,
      } satisfies Reply<typeof KeySet>),
  );
}
