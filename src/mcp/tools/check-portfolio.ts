import Type, { type Static } from 'typebox';
import { CHAINS } from '../../chains/index.ts';
import { PolicyRules, PortfolioResult, PortfolioVerdict, PRESETS } from '../../contract/index.ts';
import { ABOUT_UNTRUSTED, outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';

/** The used fields of a verdict. */
const Read = Type.Pick(PortfolioVerdict, [
  'outcome',
  'value_usd',
  'score',
  'band',
  'uncovered',
  'shares',
  'positions',
  'holdings',
  'breaks_together',
  'checked_at',
  'data_mode',
]);
const MOST_POSITIONS = 30;
const MOST_RULES = 8;
const MOST_BREAKAGES = 5;

export const checkPortfolio = defineTool({
  name: 'check_portfolio',
  title: 'Check the holdings of an address against rules',
  description:
    'Reads the holdings of an address from the chains and checks the published rating of each position against rules: outcome of the whole and of each, the largest first, and what breaks together. Not rated or without a price is never allowed. On EVM chains not every token can be read: see holdings.',
  readsOnly: true,
  input: Type.Object(
    {
      address: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Address of a wallet, as its chain writes it.',
      }),
      chains: Type.Optional(
        Type.Array(Type.Union(CHAINS.map(({ name }) => Type.Literal(name))), {
          minItems: 1,
          description: 'Default: every chain with such addresses that is read here.',
        }),
      ),
      preset: Type.Optional(
        Type.Union(
          PRESETS.map((name) => Type.Literal(name)),
          { description: 'Default: agent.' },
        ),
      ),
      rules: Type.Optional(PolicyRules),
    },
    { additionalProperties: false },
  ),
  output: PortfolioResult,
  async run({ preset = 'agent', ...given }, { send }) {
    const result = await send({ method: 'POST', path: '/v1/policy/portfolio', body: { preset, ...given } }, Read);
    if (!result.ok) return result;
    const { positions, holdings, breaks_together: breaks, ...whole } = result.value;
    const sorted = positions.toSorted((a, b) => (b.value_usd ?? 0) - (a.value_usd ?? 0));
    const value: Static<typeof PortfolioResult> = {
      ...whole,
      shares: { ...whole.shares },
      positions: sorted.slice(0, MOST_POSITIONS).map((one) => ({
        asset_id: plainWord(one.asset_id),
        symbol: outside(one.symbol, 32),
        outcome: one.outcome,
        rules: one.fired.slice(0, MOST_RULES).map(({ rule }) => rule),
        band: one.band,
        quantity: one.quantity,
        value_usd: one.value_usd,
      })),
      more_positions: Math.max(0, positions.length - MOST_POSITIONS),
      holdings: (holdings ?? []).map(({ chain, complete, gaps, positions: found }) => ({
        chain,
        positions: found,
        complete,
        gaps: [...gaps],
      })),
      breaks_together: breaks.slice(0, MOST_BREAKAGES).map(({ kind, name, loss }) => ({
        kind,
        name: outside(name, 120),
        loss,
      })),
      about_untrusted: ABOUT_UNTRUSTED,
    };
    return { ok: true, value };
  },
});
