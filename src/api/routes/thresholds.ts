import type { FastifyRequest } from 'fastify';
import type { Chain } from '../../chains/index.ts';
import {
  ChainAssetParams,
  ChainParams,
  DONE,
  type Input,
  problems,
  type Reply,
  ThresholdBody,
  ThresholdEntry,
  ThresholdEntryReply,
  ThresholdList,
  viewOf,
} from '../../contract/index.ts';
import { type AccountRule, ruleKey, type ThresholdBook, type ThresholdSet } from '../../monitoring/index.ts';
import { readAssetText } from '../chain/asset-text.ts';
import { type ChainRouting, indexedAsset, plannedChain } from '../chain/chain-routing.ts';
import { allowedBy, notFound, planLimitReached, refuse, validationFailed } from '../replies/problems.ts';
import { accountOf, keyed, planOf } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

const CROSSING =
  'When a stored snapshot crosses one, the account gets an alert of the kind `snapshot_threshold` (GET /v1/alerts, its stream, webhooks) with the figures and the age of the snapshot.';

/** Thresholds that accounts set on values of snapshots. */
export function thresholdRoutes(server: Routes, routing: ChainRouting, book: ThresholdBook): void {
  const { dataMode } = routing.context;
  const mostOf = (request: FastifyRequest) =>
    allowedBy(planOf(request), routing.plans, 'thresholdAssets', 'thresholds on snapshots');
  const view = (set: ThresholdSet): Reply<typeof ThresholdEntryReply> => ({
    ...viewOf(ThresholdEntry, set),
    data_mode: dataMode,
  });

  /**
   * What `act` finds for the asset in the path. Thresholds on an asset that is no longer indexed still count, so its
   * address is tried before it is looked up among the indexed ones.
   */
  async function ofPath<Found>(request: FastifyRequest, chain: Chain, act: (assetId: string) => Promise<Found>) {
    const read = readAssetText(chain, (request.params as Input<typeof ChainAssetParams>).asset);
    const found = read.ok && read.value.kind === 'address' ? await act(read.value.assetId) : null;
    return found || act((await indexedAsset(routing, request, chain)).id);
  }

  server.get(
    '/v1/:chain/thresholds',
    keyed('chain:read', 'chain data', {
      operationId: 'listThresholds',
      summary: 'Thresholds of the account on assets of a chain',
      description: `Each with whether it is crossed at present. ${CROSSING}`,
      params: ChainParams,
      response: { 200: ThresholdList, ...problems(401, 403, 404, 429) },
    }),
    async (request) => {
      const chain = plannedChain(routing, request, null, 'snapshots');
      const limit = mostOf(request);
      const data = (await book.list(accountOf(request), chain.name)).map((set) => viewOf(ThresholdEntry, set));
      const used = await book.used(accountOf(request));
      return { data, used, limit, next_cursor: null, data_mode: dataMode } satisfies Reply<typeof ThresholdList>;
    },
  );

  server.get(
    '/v1/:chain/thresholds/:asset',
    keyed('chain:read', 'chain data', {
      operationId: 'getThresholds',
      summary: 'Thresholds of the account on an asset',
      description: `Each with whether it is crossed at present. ${CROSSING}`,
      params: ChainAssetParams,
      response: { 200: ThresholdEntryReply, ...problems(400, 401, 403, 404, 409, 429) },
    }),
    async (request) => {
      const chain = plannedChain(routing, request, null, 'snapshots');
      mostOf(request);
      const found = await ofPath(request, chain, (id) => book.get(accountOf(request), id));
      return view(found ?? refuse(NONE_SET));
    },
  );

  server.put(
    '/v1/:chain/thresholds/:asset',
    {
      ...keyed('chain:read', 'chain data', {
        operationId: 'setThresholds',
        summary: 'Set thresholds on figures of an asset’s snapshots',
        description: `${CROSSING} A crossing is notified once, and again only after the figure went back by \`hysteresis_pct\`. The newest snapshot is where a threshold begins: what is beyond it already did not cross it. The asset must be indexed (PUT /v1/{chain}/index/{asset}), and is compared as often as its snapshots are made.`,
        params: ChainAssetParams,
        body: ThresholdBody,
        response: {
          200: ThresholdEntryReply,
          201: ThresholdEntryReply,
          ...problems(400, 401, 403, 404, 409, 413, 415, 429),
        },
      }),
      // A plan without thresholds is refused before the body is validated.
      preValidation: async (request: FastifyRequest) => void mostOf(request),
    },
    async (request, reply) => {
      const chain = plannedChain(routing, request, null, 'snapshots');
      const most = mostOf(request);
      const rules = rulesOf(request.body);
      const { id } = await indexedAsset(routing, request, chain);
      const done = await book.put(
        accountOf(request),
        { id, chain: chain.name },
        { note: request.body.note, rules },
        most,
      );
      if (done.outcome === 'full') return refuse(full(most));
      return reply.code(done.outcome === 'added' ? 201 : 200).send(view(done.set));
    },
  );

  server.delete(
    '/v1/:chain/thresholds/:asset',
    keyed('chain:read', 'chain data', {
      operationId: 'removeThresholds',
      summary: 'Remove the thresholds on an asset; its alerts stay',
      description: 'Alerts that were made stay readable.',
      params: ChainAssetParams,
      response: { ...DONE, ...problems(400, 401, 403, 404, 409, 429) },
    }),
    async (request, reply) => {
      const chain = plannedChain(routing, request, null, 'snapshots');
      mostOf(request);
      const removed = await ofPath(request, chain, (id) => book.remove(accountOf(request), id));
      if (!removed) refuse(NONE_SET);
      return reply.code(204).send();
    },
  );
}

const USUAL = { window_seconds: 3_600, hysteresis_pct: 5, severity: 'medium' } as const;

function rulesOf({ thresholds }: Input<typeof ThresholdBody>): readonly AccountRule[] {
  const seen = new Set<string>();
  const errors: { readonly pointer: string; readonly code: string; readonly detail: string }[] = [];
  const rules = thresholds.map((given, index): AccountRule => {
    const { figure, condition, value, window_seconds, hysteresis_pct, severity } = { ...USUAL, ...given };
    const windowSeconds = condition === 'rises' || condition === 'falls' ? window_seconds : null;
    const rule = { figure, condition, value, windowSeconds, hysteresisPct: hysteresis_pct, severity };
    const pointer = `/thresholds/${index}`;
    const key = ruleKey(rule);
    if (seen.has(key)) errors.push({ pointer, code: 'repeated', detail: 'the same threshold twice' });
    seen.add(key);
    if (condition === 'falls' && value > 100)
      errors.push({
        pointer: `${pointer}/value`,
        code: 'out_of_range',
        detail: 'expected at most 100: no value falls by more than 100 %',
      });
    return rule;
  });
  if (errors.length > 0) refuse(validationFailed(errors));
  return rules;
}

const full = (limit: number) =>
  planLimitReached(
    'thresholds_full',
    'The account has reached the limit of assets with thresholds of its plan',
    limit,
    'assets with thresholds, on all chains together',
    'remove those of one',
  );

const NONE_SET = notFound(
  'no_thresholds',
  'The account has no thresholds on this asset',
  'GET /v1/{chain}/thresholds lists those of the account.',
);
