import type { Chain } from '../../chains/index.ts';
import {
  ChainAssetParams,
  ChainParams,
  DONE,
  IndexAddedReply,
  IndexBody,
  IndexEntryReply,
  IndexList,
  problems,
  viewOf,
} from '../../contract/index.ts';
import { readAssetText } from '../chain/asset-text.ts';
import { type ChainRouting, chainOf, indexedAsset, malformedAsset, wrongChain } from '../chain/chain-routing.ts';
import type { IndexedAsset } from '../context.ts';
import { type Problem, refuse } from '../replies/problems.ts';
import { keyed } from '../requests/account-request.ts';
import type { Routes } from '../requests/read-requests.ts';

/** The assets that are indexed (scope `admin`). */
export function chainIndexRoutes(server: Routes, routing: ChainRouting): void {
  const { context, services } = routing;
  const view = (entry: IndexedAsset) => viewOf(IndexEntryReply, { ...entry, dataMode: context.dataMode });

  server.get(
    '/v1/:chain/index',
    keyed('admin', 'admin', {
      operationId: 'listIndex',
      summary: 'List the indexed assets of a chain',
      description: 'Assets of which snapshots are made: those asked for here, and what was rated or is watched.',
      params: ChainParams,
      response: { 200: IndexList, ...problems(401, 403, 404) },
    }),
    async (request, reply) => {
      const entries = await services.index.list(chainOf(routing, request).name);
      return reply.send(viewOf(IndexList, { data: entries, nextCursor: null, dataMode: context.dataMode }));
    },
  );

  server.get(
    '/v1/:chain/index/:asset',
    keyed('admin', 'admin', {
      operationId: 'getIndexedAsset',
      summary: 'One indexed asset',
      description: 'Which snapshots are made of it, how often, and who asked for them.',
      params: ChainAssetParams,
      response: { 200: IndexEntryReply, ...problems(400, 401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const chain = chainOf(routing, request);
      const { id } = await indexedAsset(routing, request, chain);
      const entries = await services.index.list(chain.name);
      return reply.send(view(entries.find((row) => row.asset.id === id) ?? refuse(notIndexed(chain))));
    },
  );

  server.put(
    '/v1/:chain/index/:asset',
    keyed('admin', 'admin', {
      operationId: 'indexAsset',
      summary: 'Have an asset indexed',
      description:
        'By address or CAIP-19 id. An asset that is indexed already is widened: the kinds of both requests, the more frequent cadence.',
      params: ChainAssetParams,
      body: IndexBody,
      response: { 200: IndexEntryReply, 201: IndexAddedReply, ...problems(400, 401, 403, 404, 413, 415, 422, 503) },
    }),
    async (request, reply) => {
      const chain = chainOf(routing, request);
      const address = addressIn(chain, request.params.asset);
      const { kinds, cadence } = request.body;
      const added = await services.index.add(chain.name, address, { kinds: [...new Set(kinds)], cadence });
      if (!added.ok) return refuse(notAdded(added.reason, added.detail));
      return reply.code(added.value.created ? 201 : 200).send(view(added.value.entry));
    },
  );

  server.delete(
    '/v1/:chain/index/:asset',
    keyed('admin', 'admin', {
      operationId: 'unindexAsset',
      summary: 'Index an asset no longer; its snapshots stay',
      description: 'What was read stays readable, with its history.',
      params: ChainAssetParams,
      response: { ...DONE, ...problems(400, 401, 403, 404, 409) },
    }),
    async (request, reply) => {
      const chain = chainOf(routing, request);
      const { id } = await indexedAsset(routing, request, chain);
      if (!(await services.index.remove(id))) refuse(notIndexed(chain));
      return reply.code(204).send();
    },
  );
}

function addressIn(chain: Chain, text: string): string {
  const read = readAssetText(chain, text);
  if (!read.ok)
    return refuse(read.code === 'malformed' ? malformedAsset(read.detail) : wrongChain(read.detail, read.chain));
  return read.value.kind === 'address'
    ? read.value.text
    : refuse(malformedAsset('a symbol names no asset for certain: expected an address or a CAIP-19 id'));
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
