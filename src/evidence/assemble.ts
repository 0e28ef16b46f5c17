import {
  type Attribution,
  type Observation,
  REPLIED,
  type RequestOutcome,
  type ResponseRecord,
  type SourceOutcome,
} from '../domain/index.ts';
import type { BoundSource, SourceBook } from './book.ts';
import { weighted } from './read-reply.ts';
import type { RecordedReply } from './request-once.ts';

export interface Assembled {
  readonly observations: readonly Observation[];
  readonly responses: readonly ResponseRecord[];
  readonly sources: readonly SourceOutcome[];
  readonly attributions: readonly Attribution[];
  readonly notRedistributable: readonly string[];
  /** True when no source replied. */
  readonly isUnanswered: boolean;
}

/**
 * Combines the replies of a job into one record, in an order that does not depend on the order of arrival. Replies
 * about other assets (`foreign`, rejected by identity) are kept in `responses`, but their observations are left out.
 */
export function assemble(
  answers: readonly RecordedReply[],
  book: SourceBook,
  foreign: ReadonlySet<string> = new Set(),
): Assembled {
  const responses = answers.map((answer) => answer.record);
  const observations = sortObservations(
    answers
      .filter((answer) => !foreign.has(answer.record.id))
      .flatMap(({ record, observations }) => {
        const weight = book.get(record.source)?.weight?.() ?? 1;
        return observations.map((observation) => weighted(observation, weight));
      }),
  );
  const bySource = Map.groupBy(observations, (observation) => observation.source);
  const bound = [...book.values()].sort((a, b) => (a.source.name < b.source.name ? -1 : 1));
  const heard = bound.map(({ source }) => source).filter(({ name }) => bySource.has(name));
  const sources = bound.map((one) => outcomeOf(one, responses, bySource.get(one.source.name)?.length ?? 0));
  const attributions = heard.flatMap(({ name, terms: { attribution } }) =>
    attribution === null ? [] : [{ source: name, text: attribution.text, url: attribution.url }],
  );
  const notRedistributable = heard.filter(({ terms }) => !terms.redistribute).map(({ name }) => name);
  return {
    observations,
    responses,
    sources,
    attributions,
    notRedistributable,
    // A list that was fetched before this job is not a reply to it.
    isUnanswered: !responses.some((record) => REPLIED.has(record.outcome) && !record.fromCache),
  };
}

/** Sorts observations into the order in which they are stored. */
export function sortObservations(observations: readonly Observation[]): readonly Observation[] {
  return observations
    .map((observation, index) => ({
      observation,
      index,
      key: [
        observation.quantity,
        observation.scope,
        observation.source,
        observation.endpoint,
        observation.responseId,
      ].join('\u0000'),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.index - b.index))
    .map((row) => row.observation);
}

function outcomeOf(bound: BoundSource, responses: readonly ResponseRecord[], observations: number): SourceOutcome {
  const name = bound.source.name;
  const mine = responses.filter((record) => record.source === name);
  const failures = mine
    .filter((record) => !REPLIED.has(record.outcome))
    .map((record) => ({ endpoint: record.endpoint, outcome: record.outcome }));
  const answered = mine.length - failures.length;
  const slowest = mine.reduce((most, record) => Math.max(most, record.milliseconds), 0);
  const summary = { name, milliseconds: slowest, observations, asked: mine.length, answered, failures };
  if (!bound.enabled) return { ...summary, outcome: 'disabled', detail: bound.reason };
  if (mine.length === 0) return { ...summary, outcome: 'unsupported', detail: 'it has no data about this asset' };
  const outcome = overall(mine);
  const failed = mine.find((record) => !REPLIED.has(record.outcome));
  const waitedMs = mine.reduce((most, record) => Math.max(most, record.waitedMs ?? 0), 0);
  const words = [
    ...(failed
      ? [
          `${failures.length} of ${mine.length} questions failed, first ${failed.endpoint}: ${failed.detail ?? failed.outcome}`,
        ]
      : []),
    ...(waitedMs > 0 ? [`waited for its request budget, at most ${Math.round(waitedMs / 1000)} s`] : []),
  ];
  const detail = words.length > 0 ? words.join('; ') : null;
  return { ...summary, outcome, detail };
}

/** `ok` when a reply has data; else the most informative reply; else the first failure. */
function overall(mine: readonly ResponseRecord[]): RequestOutcome {
  for (const wanted of ['ok', 'empty', 'not_found'] as const)
    if (mine.some((record) => record.outcome === wanted)) return wanted;
  return mine[0]?.outcome ?? 'unsupported';
}
