import Type from 'typebox';
import { FAILURE_BASES, type FailureProbability } from '../domain/index.ts';
import { nullableNumber, nullableText, oneOf, type Reply } from './vocabulary.ts';

const HORIZONS = ['30d', '365d'] as const;

export const FailureProbabilityView = Type.Object(
  {
    horizon: oneOf('From the rating on.', HORIZONS),
    value: nullableNumber('0-1; null where no single value can be given: read `basis`.'),
    interval: Type.Union([Type.Tuple([Type.Number(), Type.Number()]), Type.Null()], {
      description: 'Low and high end, 80 %, as far apart as files of outcomes are; null where nothing is known.',
    }),
    basis: oneOf(
      'What it rests on. `calibrated`: failures of assets alike; `low_default`: few of them; `upper_bound`, `lower_bound`: none was rated as well, or as badly, and only the interval can be stated; `no_evidence`: no outcomes of such assets are known; `not_rated`; `defaulted`: it has failed.',
      FAILURE_BASES,
    ),
    detail: Type.String({ description: 'The basis as text: failures, members, and what counts as a failure.' }),
    group: nullableText('Group of the calibration whose outcomes it rests on, such as `listed`; null without one.'),
    calibration_hash: Type.String({ description: 'SHA-256 of the calibration: GET /v1/methodology/calibration.' }),
  },
  {
    title: 'FailureProbability',
    description: 'How likely the asset fails within a horizon (docs/ratings.md); no part of the score.',
  },
);

/** The probabilities of a rating, as a reply shows them. */
export function failureView(rows: readonly FailureProbability[]): Reply<typeof FailureProbabilityView>[] {
  return rows.map(({ horizon, value, interval, basis, detail, group, calibrationHash }) => ({
    horizon,
    value,
    interval: interval && [interval[0], interval[1]],
    basis,
    detail,
    group,
    calibration_hash: calibrationHash,
  }));
}

const DAYS = { '30d': '30 days', '365d': 'a year' } as const;

/** One probability as text for people. */
export function failureWords({ horizon, value, interval, basis, detail }: FailureProbability): {
  readonly horizon: string;
  readonly value: string;
  readonly detail: string;
} {
  const percent = (share: number) => `${Number((share * 100).toPrecision(2))} %`;
  const ends = interval === null ? '' : `${percent(interval[0])} to ${percent(interval[1])}`;
  const bound =
    interval && basis === 'upper_bound' ? `at most ${percent(interval[1])}` : `at least ${ends.split(' to ')[0]}`;
  return {
    horizon: `within ${DAYS[horizon]}`,
    value: value !== null ? `${percent(value)} (80 %: ${ends})` : interval === null ? 'not known' : bound,
    detail,
  };
}
