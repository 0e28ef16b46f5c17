import Type, { type Static } from 'typebox';
import { RatingResult, RatingView, type Reply } from '../../contract/index.ts';
import { plainWord } from '../outside-text.ts';
import { defineTool } from '../tool.ts';
import { ageOut, assetInput, failureOut, flagsOut, ratedAssetOut } from '../views.ts';

/** The used fields of a published rating. */
const USED = [
  'asset',
  'band',
  'score',
  'score_interval',
  'trust_score',
  'outlook',
  'watch',
  'rating_action',
  'previous',
  'vfr',
  'failure_probability',
  'risk_flags',
  'gaps',
  'job_id',
  'methodology_version',
  'as_of',
  'age_seconds',
  'data_mode',
] as const;
export const ReadRating = Type.Pick(RatingView, USED);

export function ratingOut(reply: Reply<typeof ReadRating>): Static<typeof RatingResult> {
  const { band, score, previous, vfr } = reply;
  return {
    asset: ratedAssetOut(reply.asset),
    band,
    score,
    interval: reply.score_interval,
    trust: { score: reply.trust_score, basis: 'agreement, coverage, independence and freshness of the sources' },
    outlook: plainWord(reply.outlook),
    watch: plainWord(reply.watch?.reason),
    rating_action: reply.rating_action,
    previous: previous && { score: previous.score, band: previous.band },
    vfr: { value: vfr.value, zone: vfr.zone },
    failure_probability: failureOut(reply.failure_probability ?? []),
    ...flagsOut(reply.risk_flags),
    not_known: reply.gaps.length,
    job_id: plainWord(reply.job_id),
    methodology_version: plainWord(reply.methodology_version),
    ...ageOut(reply),
  };
}

export const getRating = defineTool({
  name: 'get_rating',
  title: 'Read a published rating',
  description:
    'The newest published rating of an asset, or the one in force at as_of: band, score, trust in the evidence, flags, outlook.',
  readsOnly: true,
  input: Type.Object(
    {
      asset: assetInput,
      as_of: Type.Optional(Type.String({ maxLength: 40, description: 'RFC 3339 time, not in the future.' })),
    },
    { additionalProperties: false },
  ),
  output: RatingResult,
  async run({ asset, as_of }, { send }) {
    const query = as_of === undefined ? '' : `?as_of=${encodeURIComponent(as_of)}`;
    const result = await send({ method: 'GET', path: `/v1/rms/${ratedPart(asset)}${query}` }, ReadRating);
    return result.ok ? { ok: true, value: ratingOut(result.value) } : result;
  },
});

/** An asset as a path segment; `.` and `..`, which URL resolution would remove, are refused. */
export function ratedPart(asset: string): string {
  return /^\.{1,2}$/.test(asset) ? '%20' : encodeURIComponent(asset.toWellFormed());
}
