import Type, { type Static } from 'typebox';
import { HoldersReply, HoldersResult, type ToolConcentration } from '../../contract/index.ts';
import { outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, assetOut } from '../views.ts';
import { chainInput, requestOfChain } from './chain-input.ts';

const Holders = Type.Pick(HoldersReply, [
  'asset',
  'method',
  'status',
  'holder_count',
  'supply',
  'raw',
  'adjusted',
  'unlabelled_top20_share_pct',
  'top_holders',
  'as_of',
  'age_seconds',
  'data_mode',
]);
const MOST_HOLDERS = 5;

export const getHolders = defineTool({
  name: 'get_holders',
  title: 'Read holder concentration',
  description:
    'Holders of a token: count, concentration as counted (raw) and without pools, burns, locks and exchanges (adjusted), the five largest with their labels.',
  readsOnly: true,
  input: Type.Object(chainInput, { additionalProperties: false }),
  output: HoldersResult,
  async run(given, tools) {
    const result = await requestOfChain(
      given,
      ({ chain, asset }) => `/v1/${chain}/${asset}/holders/snapshot`,
      Holders,
      tools,
    );
    if (!result.ok) return result;
    const reply = result.value;
    const { coverage } = reply.supply;
    return {
      ok: true,
      value: {
        asset: assetOut(reply.asset),
        method: reply.method,
        status: reply.status,
        holder_count: reply.holder_count,
        trust: {
          score: coverage === null ? null : Math.round(Math.min(1, coverage) * 1000) / 10,
          basis: `share of the supply that was seen, by ${reply.method}, ${reply.status}`,
        },
        raw: concentrationOut(reply.raw),
        adjusted: concentrationOut(reply.adjusted),
        unlabelled_top20_share_pct: reply.unlabelled_top20_share_pct,
        top_holders: reply.top_holders
          .slice(0, MOST_HOLDERS)
          .map(({ rank, address, share_pct, labels, set_aside }) => ({
            rank,
            address: plainWord(address),
            share_pct,
            label: labels[0] ? outside(`${labels[0].kind}: ${labels[0].name}`, 80) : null,
            set_aside: plainWord(set_aside),
          })),
        ...ageOut(reply),
      },
    };
  },
});

function concentrationOut(view: Static<typeof ToolConcentration>): Static<typeof ToolConcentration> {
  const { top_1_pct, top_10_pct, top_100_pct, gini, nakamoto_50, effective_holders } = view;
  return { top_1_pct, top_10_pct, top_100_pct, gini, nakamoto_50, effective_holders };
}
