import Type, { type Static } from 'typebox';
import { PolicyResult, PolicyRules, PolicyVerdict, PRESETS } from '../../contract/index.ts';
import { ABOUT_UNTRUSTED, outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { assetInput } from '../views.ts';

/** The used fields of a verdict. */
const Read = Type.Pick(PolicyVerdict, [
  'asset_id',
  'symbol',
  'outcome',
  'fired',
  'met',
  'band',
  'score',
  'trust_score',
  'rating_as_of',
  'largest_exposure',
  'next',
  'checked_at',
  'data_mode',
]);
const MOST_FIRED = 20;

export const checkPolicy = defineTool({
  name: 'check_policy',
  title: 'Check an asset against rules',
  description:
    'Checks the published rating against rules: outcome allow, caution or block, every rule that fired, and the largest position that can be sold at the cost the rules allow. Presets: wallet, listing_desk, treasury, agent; given rules replace those of the preset. An unknown value is never allowed. Do not act against block; ask your user on caution.',
  readsOnly: true,
  input: Type.Object(
    {
      asset: assetInput,
      preset: Type.Optional(
        Type.Union(
          PRESETS.map((name) => Type.Literal(name)),
          { description: 'Default: agent.' },
        ),
      ),
      amount_usd: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1e15, description: 'What is to be bought or held, US dollars.' }),
      ),
      rules: Type.Optional(PolicyRules),
    },
    { additionalProperties: false },
  ),
  output: PolicyResult,
  async run({ preset = 'agent', ...given }, { send }) {
    const result = await send({ method: 'POST', path: '/v1/policy/check', body: { preset, ...given } }, Read);
    if (!result.ok) return result;
    const { largest_exposure: exit, next, ...verdict } = result.value;
    const value: Static<typeof PolicyResult> = {
      asset_id: plainWord(verdict.asset_id),
      symbol: outside(verdict.symbol, 32),
      outcome: verdict.outcome,
      fired: verdict.fired.slice(0, MOST_FIRED).map(({ rule, outcome, decided, limit, found, detail, flag }) => ({
        rule,
        outcome,
        decided,
        limit: typeof limit === 'string' ? plainWord(limit) : limit,
        found: typeof found === 'string' ? plainWord(found) : found,
        flag: plainWord(flag?.code),
        // Reasons quote outside text about the asset.
        detail: outside(detail, 240),
      })),
      more_fired: Math.max(0, verdict.fired.length - MOST_FIRED),
      met: [...verdict.met],
      band: verdict.band,
      score: verdict.score,
      trust_score: verdict.trust_score,
      rating_as_of: verdict.rating_as_of,
      largest_exposure: exit && {
        size_usd: exit.size_usd,
        max_cost_pct: exit.max_cost_pct,
        method: exit.method,
        largest_pool_share_pct: exit.largest_pool_share_pct,
      },
      next: next === null ? null : 'score_project has it rated; then check once more',
      checked_at: verdict.checked_at,
      data_mode: verdict.data_mode,
      about_untrusted: ABOUT_UNTRUSTED,
    };
    return { ok: true, value };
  },
});
