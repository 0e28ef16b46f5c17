import Type, { type Static } from 'typebox';
import { NotRatedEntry, type Reply } from '../../contract/index.ts';
import { ABOUT_UNTRUSTED, outside, plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { assetInput, numberOrNull, outsideOrNull, pairOrNull, textOrNull } from '../views.ts';
import { ReadRating, ratingOut } from './get-rating.ts';

const Rows = Type.Array(Type.Union([ReadRating, NotRatedEntry]));
const RowOut = Type.Object({
  asset_id: textOrNull,
  symbol: outsideOrNull,
  name: outsideOrNull,
  band: Type.String(),
  score: numberOrNull,
  interval: pairOrNull,
  trust_score: Type.Number(),
  outlook: textOrNull,
  vfr_zone: Type.String(),
  flags: Type.Array(textOrNull, { description: 'Worst first.' }),
  not_known: Type.Integer(),
  as_of: Type.String(),
  age_seconds: Type.Number(),
  data_mode: Type.String(),
});
const MissingOut = Type.Object({ requested: outsideOrNull, error: Type.String() });

export const compare = defineTool({
  name: 'compare',
  title: 'Compare published ratings',
  description:
    'Two to five assets side by side, in the order given: band, score with its interval, trust, flags. Where intervals overlap, the difference of scores says little.',
  readsOnly: true,
  input: Type.Object({ assets: Type.Array(assetInput, { minItems: 2, maxItems: 5 }) }, { additionalProperties: false }),
  output: Type.Object({
    ratings: Type.Array(Type.Union([RowOut, MissingOut])),
    about_untrusted: Type.String(),
  }),
  async run({ assets }, { ask }) {
    const asked = await ask({ method: 'POST', path: '/v1/rms/batch', body: { assets } }, Rows);
    if (!asked.ok) return asked;
    const ratings = asked.value.map((row) =>
      'error' in row
        ? { requested: outside(row.requested, 150), error: plainWord(row.error.code) ?? 'not_readable' }
        : rowOut(row),
    );
    return { ok: true, value: { ratings, about_untrusted: ABOUT_UNTRUSTED } };
  },
});

function rowOut(row: Reply<typeof ReadRating>): Static<typeof RowOut> {
  const { asset, band, score, interval, outlook, vfr, risk_flags, not_known, ...rest } = ratingOut(row);
  return {
    asset_id: asset.id,
    symbol: asset.symbol,
    name: asset.name,
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
