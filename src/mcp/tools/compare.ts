import Type, { type Static } from 'typebox';
import { type ComparedRating, ComparisonResult, NotRatedEntry, type Reply } from '../../contract/index.ts';
import { ABOUT_UNTRUSTED, outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { assetInput } from '../views.ts';
import { ReadRating, ratingOut } from './get-rating.ts';

const Rows = Type.Array(Type.Union([ReadRating, NotRatedEntry]));
export const compare = defineTool({
  name: 'compare',
  title: 'Compare published ratings',
  description:
    'Two to five assets side by side, in the order given: band, score with its interval, trust, flags. Where intervals overlap, the difference of scores has little meaning.',
  readsOnly: true,
  input: Type.Object({ assets: Type.Array(assetInput, { minItems: 2, maxItems: 5 }) }, { additionalProperties: false }),
  output: ComparisonResult,
  async run({ assets }, { send }) {
    const result = await send({ method: 'POST', path: '/v1/rms/batch', body: { assets } }, Rows);
    if (!result.ok) return result;
    const ratings = result.value.map((row) =>
      'error' in row
        ? { requested: outside(row.requested, 150), error: plainWord(row.error.code) ?? 'not_readable' }
        : rowOut(row),
    );
    return { ok: true, value: { ratings, about_untrusted: ABOUT_UNTRUSTED } };
  },
});

function rowOut(row: Reply<typeof ReadRating>): Static<typeof ComparedRating> {
  const { asset, band, score, interval, outlook, vfr, risk_flags, not_known, ...rest } = ratingOut(row);
  return {
    asset_id: asset.id,
    symbol: asset.symbol,
    name: asset.name,
    class: asset.class,
    band,
    score,
    interval,
    trust_score: row.trust_score,
    outlook,
    vfr_zone: vfr.zone,
    flags: risk_flags.map(({ code }) => code),
    not_known,
    as_of: rest.as_of,
    age_seconds: rest.age_seconds,
    data_mode: rest.data_mode,
  };
}
