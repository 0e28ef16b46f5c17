import type { FastifyInstance } from 'fastify';
import { ChainParams } from '../../contract/index.ts';
import { type ChainRouting, chainOf, planOf, refusalOfPlan } from '../chain/chain-routing.ts';
import { dailyExportRoutes } from './daily-export.ts';

/** The files of a day of a chain, and the manifest of what is published. */
export function chainExportRoutes(server: FastifyInstance, routing: ChainRouting): void {
  for (const fixed of ['solana', null])
    dailyExportRoutes(server, {
      path: `/v1/${fixed ?? ':chain'}/exports/daily`,
      scope: 'chain:read',
      params: fixed === null ? ChainParams : null,
      name: fixed === null ? 'Chain' : 'Solana',
      summary: 'All chain aggregates of a day',
      exports: routing.services.exports,
      dataMode: routing.context.dataMode,
      now: routing.context.now,
      subjectOf(request) {
        const found = chainOf(routing, request, fixed);
        if (!found.ok) return found;
        const problem = refusalOfPlan(routing, planOf(request), found.chain, 'exports');
        return problem ? { ok: false, problem } : { ok: true, subject: found.chain.name };
      },
    });
}
