import type { FastifyRequest } from 'fastify';
import type { Plan } from '../../access/index.ts';
import { type Chain, parseAssetId } from '../../chains/index.ts';
import {
  ChainAssetParams,
  ChainParams,
  type Coverage,
  DONE,
  IndexAddedReply,
  IndexBody,
  IndexEntry,
  IndexEntryReply,
  IndexList,
  IndexQuery,
  problems,
  type Reply,
  viewOf,
} from '../../contract/index.ts';
import { CADENCES, type Cadence } from '../../domain/index.ts';
import { readAssetText } from '../chain/asset-text.ts';
import {
  type ChainRouting,
  chainOf,
  indexedAsset,
  malformedAsset,
  notIndexed,
  plannedChain,
  wrongChain,
} from '../chain/chain-routing.ts';
import type { IndexedAsset, IndexRequester } from '../context.ts';
import { hasScope } from '../plugins/authentication.ts';
import { allowedBy, notFound, type Problem, refuse } from '../replies/problems.ts';
import { keyed, keyOf, planOf } from '../requests/account-request.ts';
import { placeAt } from '../requests/cursors.ts';
import type { Routes } from '../requests/read-requests.ts';

const WHO =
  'Any key with `chain:read` may request it, within the chains and the number `indexed_assets` of its plan; a key with the scope `admin` acts for the operator, without limit.';

/** The indexed assets, and the requests of accounts. */
export function chainIndexRoutes(server: Routes, routing: ChainRouting): void {
  const { context, services } = routing;
  const { dataMode } = context;

  server.get(
    '/v1/:chain/index',
    keyed(ANY, 'chain data', {
      operationId: 'listIndex',
      summary: 'List the indexed assets of a chain',
      description: `Assets of which snapshots are made: those requested by the operator or by accounts, and what was rated lately. ${WHO}`,
      params: ChainParams,
      querystring: IndexQuery,
      response: { 200: IndexList, ...problems(400, 401, 403, 404) },
    }),
    async (request, reply) => {
      const chain = readableChain(routing, request);
      const { accountId } = keyOf(request);
      const { mine, limit, cursor } = request.query;
      const after = placeAt(cursor, (given) => {
        const id = Buffer.from(given, 'base64url').toString();
        return parseAssetId(id)?.chain.name === chain.name ? id : null;
      });
      const page = { accountId, mine: mine === 'true', after: after ?? '', limit: limit + 1 };
      const found = await services.index.list(chain.name, page);
      const data = found.slice(0, limit);
      const last = data.at(-1);
      const nextCursor = last && found.length > limit ? Buffer.from(last.asset.id).toString('base64url') : null;
      const coverage = await coverageOf(routing, request);
      return reply.send(viewOf(IndexList, { data, nextCursor, coverage, dataMode }));
    },
  );

  const view = async (request: FastifyRequest, entry: IndexedAsset): Promise<Reply<typeof IndexEntryReply>> => ({
    ...viewOf(IndexEntry, entry),
    coverage: await coverageOf(routing, request),
    data_mode: dataMode,
  });

  server.get(
    '/v1/:chain/index/:asset',
    keyed(ANY, 'chain data', {
      operationId: 'getIndexedAsset',
      summary: 'One indexed asset',
      description: `Which snapshots are made of it, how often, and who requested them. ${WHO}`,
      params: ChainAssetParams,
      response: { 200: IndexEntryReply, ...problems(400, 401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const chain = readableChain(routing, request);
      const { id } = await indexedAsset(routing, request, chain);
      const entry = await services.index.entry(id, keyOf(request).accountId);
      return reply.send(await view(request, entry ?? refuse(notIndexed(routing, request, chain, null))));
    },
  );

  server.put(
    '/v1/:chain/index/:asset',
    keyed(ANY, 'chain data', {
      operationId: 'indexAsset',
      summary: 'Have an asset indexed',
      description: `By address or CAIP-19 id. Its first snapshots follow within seconds; until they are there, their paths return 202 with a place in the queue. Requests of others for the asset remain: the kinds of all requests are made, at the most frequent cadence. The same request again changes what the account requested, and counts once. ${WHO}`,
      params: ChainAssetParams,
      body: IndexBody,
      response: { 200: IndexEntryReply, 201: IndexAddedReply, ...problems(400, 401, 403, 404, 413, 415, 422, 503) },
    }),
    async (request, reply) => {
      const chain = readableChain(routing, request);
      const requester = requesterOf(routing, request);
      const address = addressIn(chain, request.params.asset);
      const { kinds, cadence } = request.body;
      const wanted = {
        kinds: [...new Set(kinds)],
        cadence: requester.who === 'account' ? servedCadence(planOf(request), cadence) : cadence,
        requester,
      };
      const added = await services.index.add(chain.name, address, wanted);
      if (!added.ok)
        return refuse(
          added.reason === 'index_full' && requester.who === 'account'
            ? indexFull(planOf(request), requester.most, chain)
            : notAdded(added.reason, added.detail),
        );
      return reply.code(added.value.created ? 201 : 200).send(await view(request, added.value.entry));
    },
  );

  server.delete(
    '/v1/:chain/index/:asset',
    keyed(ANY, 'chain data', {
      operationId: 'unindexAsset',
      summary: 'Withdraw a request for indexing; snapshots remain',
      description:
        'Gives back one of the plan’s `indexed_assets`. Requests of other accounts and of the operator continue, and what was rated lately stays indexed for its time. A key with the scope `admin` ends the indexing of the asset for everybody. What was read stays readable, with its history.',
      params: ChainAssetParams,
      response: { ...DONE, ...problems(400, 401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const chain = readableChain(routing, request);
      // Also allowed for an account whose plan was reduced.
      const { accountId } = keyOf(request);
      const who = hasScope(keyOf(request), 'admin') ? 'operator' : 'account';
      const { id } = await indexedAsset(routing, request, chain);
      if (!(await services.index.remove(id, { who, accountId })))
        refuse(who === 'operator' ? notIndexed(routing, request, chain, null) : notYours(chain));
      return reply.code(204).send();
    },
  );
}

/**
 * The handler checks the scope together with the chain: administrators need no chain-data scope and no plan with it.
 */
const ANY = { scope: 'any' } as const;

function readableChain(routing: ChainRouting, request: FastifyRequest): Chain {
  const key = keyOf(request);
  if (hasScope(key, 'admin')) return chainOf(routing, request);
  if (!hasScope(key, 'chain:read'))
    refuse({
      status: 403,
      code: 'missing_scope',
      title: 'The key lacks the required scope',
      detail: `This needs the scope chain:read; the key has ${key.scopes.join(', ') || 'none'}.`,
      retry: 'no',
      more: { required_scope: 'chain:read' },
    });
  return plannedChain(routing, request, null, 'snapshots');
}

function requesterOf({ plans }: ChainRouting, request: FastifyRequest): IndexRequester {
  const key = keyOf(request);
  const { accountId } = key;
  if (hasScope(key, 'admin')) return { who: 'operator', accountId };
  return {
    who: 'account',
    accountId,
    most: allowedBy(planOf(request), plans, 'indexedAssets', 'indexing on request'),
  };
}

async function coverageOf({ services }: ChainRouting, request: FastifyRequest): Promise<Reply<typeof Coverage>> {
  const key = keyOf(request);
  return {
    used: await services.index.used(key.accountId),
    limit: hasScope(key, 'admin') ? null : planOf(request).indexedAssets,
  };
}

/**
 * The requested cadence, or the one that the plan serves if that is slower: a cadence that is not served is not
 * charged.
 */
function servedCadence({ freshnessGridSeconds: grid }: Plan, asked: Cadence): Cadence {
  const served: Cadence = grid === 0 ? 'newest' : grid <= 300 ? 'five_minutes' : 'hourly';
  return CADENCES.indexOf(asked) < CADENCES.indexOf(served) ? asked : served;
}

function addressIn(chain: Chain, text: string): string {
  const read = readAssetText(chain, text);
  if (!read.ok)
    return refuse(read.code === 'malformed' ? malformedAsset(read.detail) : wrongChain(read.detail, read.chain));
  return read.value.kind === 'address'
    ? read.value.text
    : refuse(malformedAsset('a symbol names no asset for certain: expected an address or a CAIP-19 id'));
}

function notYours(chain: Chain): Problem {
  return notFound(
    'not_asked_for',
    'The account has not requested this asset',
    `It is indexed for other accounts. GET /v1/${chain.name}/index?mine=true lists what the account has requested.`,
  );
}

function indexFull(plan: Plan, limit: number, chain: Chain): Problem {
  return {
    status: 403,
    code: 'index_full',
    title: 'The account has reached the limit of indexed assets of its plan',
    detail: `The plan ${plan.name} has ${limit} assets indexed on request, on all chains together. DELETE /v1/${chain.name}/index/{asset} releases one; GET /v1/plans shows larger plans.`,
    retry: 'no',
    more: { limit, used: limit, plan: plan.name },
  };
}

function notAdded(reason: string, detail: string): Problem {
  if (reason === 'no_source_reachable')
    return {
      status: 503,
      code: reason,
      title: 'No source could be reached',
      detail,
      retry: 'after',
      headers: { 'retry-after': '30' },
    };
  return { status: 422, code: reason, title: 'This cannot be indexed', detail, retry: 'no' };
}
