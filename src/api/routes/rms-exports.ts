import type { FastifyInstance } from 'fastify';
import { includes, plansThatInclude } from '../../access/index.ts';
import type { ApiContext } from '../context.ts';
import { planDoesNotInclude } from '../replies/problems.ts';
import { dailyExportRoutes } from './daily-export.ts';

const NEED = { scope: 'rms:read', chain: null, exportOf: 'rms' } as const;

/** The ratings of a day, and the manifest of what is published. */
export function ratingExportRoutes(server: FastifyInstance, context: ApiContext): void {
  const { plans, chain, dataMode, now } = context;
  dailyExportRoutes(server, {
    path: '/v1/exports/rms/daily',
    scope: 'rms:read',
    params: null,
    name: 'Rating',
    summary: 'All rated assets of a day',
    exports: chain.exports,
    dataMode,
    now,
    subjectOf({ plan }) {
      if (plan === null) throw new Error('a route of exports has no scope');
      if (includes(plan, NEED)) return { ok: true, subject: 'rms' };
      return {
        ok: false,
        problem: planDoesNotInclude(plan, 'the export of ratings', plansThatInclude(plans, NEED)),
      };
    },
  });
}
