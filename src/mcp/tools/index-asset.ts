import Type from 'typebox';
import { IndexEntryReply, IndexResult } from '../../contract/index.ts';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { assetOut } from '../views.ts';
import { chainInput, requestOfChain } from './chain-input.ts';

const Entry = Type.Pick(IndexEntryReply, ['asset', 'kinds', 'cadence', 'coverage', 'data_mode']);

export const indexAsset = defineTool({
  name: 'index_asset',
  title: 'Index a token',
  description:
    'Indexes a token from now on, for get_market, get_holders and get_pools: the first snapshots exist within seconds. Uses one of the plan’s indexed_assets; a repeated call for the same token uses none.',
  readsOnly: false,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: IndexResult,
  async run(given, tools) {
    const asPut = ({ method: _, ...request }: Parameters<typeof tools.send>[0]) => ({
      ...request,
      method: 'PUT' as const,
      body: {},
    });
    const result = await requestOfChain(given, ({ chain, asset }) => `/v1/${chain}/index/${asset}`, Entry, {
      send: (request, schema) => tools.send(asPut(request), schema),
    });
    if (!result.ok) return result;
    const { asset, kinds, cadence, coverage, data_mode } = result.value;
    return {
      ok: true,
      value: {
        asset: assetOut(asset),
        kinds: [...kinds],
        cadence: plainWord(cadence),
        coverage: { ...coverage },
        data_mode,
      },
    };
  },
});
