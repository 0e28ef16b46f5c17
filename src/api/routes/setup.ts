import { problems, SetupView, viewOf } from '../../contract/index.ts';
import type { SetupService } from '../context.ts';
import { type Problem, refuse } from '../replies/problems.ts';
import { keyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

/** What works in this installation, for its operator: read, and checked on demand (docs/proving.md). */
export function setupRoutes(server: Routes, setup: SetupService): void {
  server.get(
    '/v1/setup',
    keyed('admin', 'admin', {
      operationId: 'getSetup',
      summary: 'What works here, and what would add something',
      description:
        'Which sources replied in the newest proof, which keys may be set, how many assets an hour the budgets allow, and which assets to rate first. While a proof runs, repeat the request every second: the reply grows as sources reply. Of the process that replies; another one has its own.',
      response: { 200: SetupView, ...problems(401, 403) },
    }),
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return viewOf(SetupView, setup.state());
    },
  );

  server.post(
    '/v1/setup/prove',
    keyed('admin', 'admin', {
      operationId: 'proveSources',
      summary: 'Request known assets from every source',
      description:
        'Begins a proof, within the budgets of the sources and behind all other work, and replies at once; one that is under way continues. GET /v1/setup shows it.',
      response: { 202: SetupView, ...problems(401, 403, 409) },
    }),
    async (_request, reply) => {
      if (!setup.prove()) refuse(NO_PANEL);
      return reply.code(202).header('cache-control', 'no-store').send(viewOf(SetupView, setup.state()));
    },
  );
}

const NO_PANEL: Problem = {
  status: 409,
  code: 'no_known_assets',
  title: 'No known assets are configured',
  detail: 'Data mode sandbox has no known assets of its own: list some in the file of ASSAY_PANEL_FILE.',
  retry: 'corrected',
};
