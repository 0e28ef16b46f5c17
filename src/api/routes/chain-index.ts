import type { Chain } from '../../chains/index.ts';
import {
  ChainAssetParams,
  ChainParams,
  DONE,
  IndexAddedReply,
  IndexBody,
  IndexEntryReply,
  IndexList,
  KEYED,
  problems,
  viewOf,
} from '../../contract/index.ts';
import { type AssetText, type AssetTextFault, readAssetText } from '../chain/asset-text.ts';
import { assetProblem, malformedAsset, wrongChain } from '../chain/chain-problems.ts';
import { type ChainRouting, chainOf } from '../chain/chain-routing.ts';
import type { IndexedAsset } from '../context.ts';
import { type Problem, sendProblem } from '../replies/problems.ts';
import type { Routes } from '../requests/read-requests.ts';

const admin = { config: { scope: 'admin' as const } };
const shared = { tags: ['admin'], security: KEYED };

/** The assets that are indexed (scope `admin`). */
export function chainIndexRoutes(server: Routes, routing: ChainRouting): void {
  const { context, services, lookup } = routing;
  const view = (entry: IndexedAsset) => viewOf(IndexEntryReply, { ...entry, dataMode: context.dataMode });

  server.get(
    '/v1/:chain/index',
    {
      ...admin,
      schema: {
        ...shared,
        operationId: 'listIndex',
        summary: 'List the indexed assets of a chain',
        description: 'Assets of which snapshots are made: those asked for here, and what was rated or is watched.',
        params: ChainParams,
        response: { 200: IndexList, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const found = chainOf(routing, request, null);
      if (!found.ok) return sendProblem(reply, found.problem);
      const entries = await services.index.list(found.chain.name);
      return reply.send(viewOf(IndexList, { data: entries, nextCursor: null, dataMode: context.dataMode }));
    },
  );

  server.get(
    '/v1/:chain/index/:asset',
    {
      ...admin,
      schema: {
        ...shared,
        operationId: 'getIndexedAsset',
        summary: 'One indexed asset',
        description: 'Which snapshots are made of it, how often, and who asked for them.',
        params: ChainAssetParams,
        response: { 200: IndexEntryReply, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const found = chainOf(routing, request, null);
      if (!found.ok) return sendProblem(reply, found.problem);
      const outcome = await lookup.find(found.chain, request.params.asset);
      if (!outcome.ok) return sendProblem(reply, assetProblem(outcome, found.chain));
      const entries = await services.index.list(found.chain.name);
      const entry = entries.find((row) => row.asset.id === outcome.asset.id);
      return entry ? reply.send(view(entry)) : sendProblem(reply, notIndexed(found.chain));
    },
  );

  server.put(
    '/v1/:chain/index/:asset',
    {
      ...admin,
      schema: {
        ...shared,
        operationId: 'indexAsset',
        summary: 'Have an asset indexed',
        description:
          'By address or CAIP-19 id. An asset that is indexed already is widened: the kinds of both requests, the more frequent cadence.',
        params: ChainAssetParams,
        body: IndexBody,
        response: { 200: IndexEntryReply, 201: IndexAddedReply, ...problems(400, 401, 403, 404, 413, 415, 422, 503) },
      },
    },
    async (request, reply) => {
      const found = chainOf(routing, request, null);
      if (!found.ok) return sendProblem(reply, found.problem);
      const read = readAddress(found.chain, request.params.asset);
      if (!read.ok) return sendProblem(reply, read.problem);
      const { kinds, cadence } = request.body;
      const added = await services.index.add(found.chain.name, read.address, { kinds: [...new Set(kinds)], cadence });
      if (!added.ok) return sendProblem(reply, notAdded(added.reason, added.detail));
      return reply.code(added.value.created ? 201 : 200).send(view(added.value.entry));
    },
  );

  server.delete(
    '/v1/:chain/index/:asset',
    {
      ...admin,
      schema: {
        ...shared,
        operationId: 'unindexAsset',
        summary: 'Index an asset no longer; its snapshots stay',
        description: 'What was read stays readable, with its history.',
        params: ChainAssetParams,
        response: { ...DONE, ...problems(400, 401, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const found = chainOf(routing, request, null);
      if (!found.ok) return sendProblem(reply, found.problem);
      const outcome = await lookup.find(found.chain, request.params.asset);
      if (!outcome.ok) return sendProblem(reply, assetProblem(outcome, found.chain));
      const removed = await services.index.remove(outcome.asset.id);
      return removed ? reply.code(204).send() : sendProblem(reply, notIndexed(found.chain));
    },
  );
}

function readAddress(
  chain: Chain,
  text: string,
): { readonly ok: true; readonly address: string } | { readonly ok: false; readonly problem: Problem } {
  const read: { readonly ok: true; readonly value: AssetText } | ({ readonly ok: false } & AssetTextFault) =
    readAssetText(chain, text);
  if (read.ok && read.value.kind === 'address') return { ok: true, address: read.value.text };
  if (read.ok)
    return {
      ok: false,
      problem: malformedAsset('a symbol names no asset for certain: expected an address or a CAIP-19 id'),
    };
  return {
    ok: false,
    problem: read.code === 'malformed' ? malformedAsset(read.detail) : wrongChain(read.detail, read.chain),
  };
}

function notIndexed(chain: Chain): Problem {
  return {
    status: 404,
    code: 'asset_not_indexed',
    title: 'The asset is not indexed',
    detail: `PUT /v1/${chain.name}/index/{address} has it indexed.`,
    retry: 'no',
    more: { chain: chain.name },
  };
}

function notAdded(reason: 'not_a_token' | 'unsupported_asset' | 'no_source_reachable', detail: string): Problem {
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
