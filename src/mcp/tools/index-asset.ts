import Type from 'typebox';
import { IndexEntryReply, IndexResult } from '../../contract/index.ts';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { assetOut } from '../views.ts';
import { askOfChain, chainInput } from './chain-input.ts';

const Entry = Type.Pick(IndexEntryReply, ['asset', 'kinds', 'cadence', 'coverage', 'data_mode']);

export const indexAsset = defineTool({
  name: 'index_asset',
  title: 'Have a token indexed',
  description:
    'Has snapshots of a token made from now on, for get_market, get_holders and get_pools: the first ones are there within seconds. Takes one of the plan’s indexed_assets; asking again for the same token takes none.',
  readsOnly: false,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: IndexResult,
  async run(given, tools) {
    const send = ({ method: _, ...question }: Parameters<typeof tools.ask>[0]) => ({
      ...question,
      method: 'PUT' as const,
      body: {},
    });
    const asked = await askOfChain(given, ({ chain, asset }) => `/v1/${chain}/index/${asset}`, Entry, {
      ask: (question, schema) => tools.ask(send(question), schema),
    });
    if (!asked.ok) return asked;
    const { asset, kinds, cadence, coverage, data_mode } = asked.value;
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
