import Type from 'typebox';
import { BreakdownView, ExplanationResult } from '../../contract/index.ts';
import { outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, assetInput, flagsOut, ratedAssetOut } from '../views.ts';
import { ratedPart } from './get-rating.ts';

const Breakdown = Type.Pick(BreakdownView, [
  'asset',
  'score',
  'band',
  'trust_score',
  'contributions',
  'factors',
  'caps',
  'risk_flags',
  'gaps',
  'as_of',
  'age_seconds',
  'data_mode',
]);

export const explainRating = defineTool({
  name: 'explain_rating',
  title: 'Explain a published rating',
  description:
    'The parts of a rating: points of each factor (they add up to the score), caps, flags, what is not known. With factor (such as MQ), the features of that factor and why each scores as it does.',
  readsOnly: true,
  input: Type.Object(
    {
      asset: assetInput,
      factor: Type.Optional(
        Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Code of a factor whose features are returned.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: ExplanationResult,
  async run({ asset, factor }, { send }) {
    const result = await send({ method: 'GET', path: `/v1/rms/${ratedPart(asset)}/breakdown` }, Breakdown);
    if (!result.ok) return result;
    const reply = result.value;
    const opened = reply.factors.find(({ code }) => code === factor?.toUpperCase());
    if (factor !== undefined && !opened)
      return { ok: false, detail: `factor: expected one of ${reply.factors.map(({ code }) => code).join(', ')}` };
    return {
      ok: true,
      value: {
        asset: ratedAssetOut(reply.asset),
        band: reply.band,
        score: reply.score,
        trust: { score: reply.trust_score, basis: 'agreement, coverage, independence and freshness of the sources' },
        contributions: reply.contributions.map(({ code, name, points }) => ({ code: plainWord(code), name, points })),
        factors: reply.factors.map(({ code, name, score, weight, confidence }) => ({
          code: plainWord(code),
          name,
          score,
          weight,
          confidence,
        })),
        features: (opened?.features ?? []).slice(0, 20).map(({ name, status, score, confidence, rationale }) => ({
          name,
          status,
          score,
          confidence,
          rationale: outside(rationale, 240),
        })),
        caps: reply.caps.slice(0, 8).map(({ code, cap, binding, detail }) => ({
          code: plainWord(code),
          cap,
          binding,
          detail: outside(detail, 200),
        })),
        ...flagsOut(reply.risk_flags),
        not_known: reply.gaps
          .slice(0, 10)
          .map(({ feature, reason }) => ({ feature: plainWord(feature), reason: outside(reason, 120) })),
        ...ageOut(reply),
      },
    };
  },
});
