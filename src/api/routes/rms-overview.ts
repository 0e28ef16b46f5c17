import { gridPoint } from '../../access/index.ts';
import { OverviewView, problems, type Reply } from '../../contract/index.ts';
import type { Methodology } from '../../methodology/index.ts';
import { keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';
import type { RmsRouting } from '../rms/choose-rating.ts';

/** One counting is served for so long: it reads every rated asset. */
const SHARED_MS = 60_000;
/** Moments that are held: the present one, and the grid points of plans. */
const MOST_KEPT = 8;

type Counted = Awaited<ReturnType<RmsRouting['services']['reader']['overview']>>;

/** GET /v1/overview. */
export function overviewRoutes(server: Routes, { context, services }: RmsRouting): void {
  const { flags } = JSON.parse(context.methodologyJson) as Pick<Methodology, 'flags'>;
  const kept = new Map<number, Promise<Counted>>();

  const countedAt = (at: number): Promise<Counted> => {
    const known = kept.get(at);
    if (known) return known;
    const counted = services.reader.overview(at, flags);
    kept.set(at, counted);
    for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old);
    counted.catch(() => kept.delete(at));
    return counted;
  };

  server.get(
    '/v1/overview',
    keyed('rms:read', 'ratings', {
      operationId: 'getOverview',
      summary: 'Everything rated, at a glance',
      description:
        'Bands beside those of 30 days before, the largest movements with their reason, severe flags, defaults, pegs, coverage and age. Counted once a minute.',
      response: { 200: OverviewView, ...problems(401, 403, 429) },
    }),
    async (request, reply): Promise<Reply<typeof OverviewView>> => {
      const now = context.now();
      const at = gridPoint(now, planOf(request).freshnessGridSeconds) ?? Math.floor(now / SHARED_MS) * SHARED_MS;
      reply.header('cache-control', 'private, max-age=30');
      return { ...(await countedAt(at)), data_mode: context.dataMode };
    },
  );
}
