import { gridPoint } from '../../access/index.ts';
import { OverviewView, problems, type Reply } from '../../contract/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import type { RmsRouting } from '../rms/choose-rating.ts';

/**
 * A count reads every rated asset. Its result is cached for this multiple of the time it took, so that counting uses at
 * most a twentieth of one connection.
 */
const SHARED_TIMES = 20;
const LEAST_MS = 2_000;
const MOST_MS = 60_000;
/** Number of times cached: now, and the grid points of plans. */
const MOST_KEPT = 8;

type Counted = Awaited<ReturnType<RmsRouting['services']['reader']['overview']>>;

/** GET /v1/overview. */
export function overviewRoutes(server: Routes, { context, services }: RmsRouting): void {
  const { flags } = JSON.parse(context.methodologyJson) as Pick<Methodology, 'flags'>;
  const kept = new Map<number | null, { readonly value: Promise<Counted>; until: number }>();

  /** The count at a plan's grid point, or now; shared by all requests for the same time. */
  const counted = (point: number | null): Promise<Counted> => {
    const known = kept.get(point);
    if (known && performance.now() < known.until) return known.value;
    const began = performance.now();
    const one = { value: services.reader.overview(point ?? context.now(), flags), until: Number.POSITIVE_INFINITY };
    kept.set(point, one);
    for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
    one.value.then(
      () => {
        const took = performance.now() - began;
        one.until = performance.now() + Math.min(MOST_MS, Math.max(LEAST_MS, took * SHARED_TIMES));
      },
      () => kept.delete(point),
    );
    return one.value;
  };

  server.get(
    '/v1/overview',
    keyed('rms:read', 'ratings', {
      operationId: 'getOverview',
      summary: 'Overview of all rated assets',
      description:
        'Bands beside those of 30 days before, the largest movements with their reason, severe flags, defaults, pegs, coverage and age. Counted anew at most every two seconds, at least every minute.',
      response: { 200: OverviewView, ...problems(401, 403, 429) },
    }),
    async (request, reply): Promise<Reply<typeof OverviewView>> => {
      const point = gridPoint(context.now(), planOf(request).freshnessGridSeconds);
      reply.header('cache-control', 'private, no-cache');
      return { ...(await counted(point)), data_mode: context.dataMode };
    },
  );
}
