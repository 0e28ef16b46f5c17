import Type, { type TProperties } from 'typebox';
import type { RequestOutcome } from '../domain/index.ts';
import {
  AssetView,
  Band,
  count,
  DataMode,
  describedHere,
  jobId,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  type Reply,
  textOf,
  time,
} from './vocabulary.ts';

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const JobView = Type.Object(
  {
    job_id: Type.String({ description: 'Id of the job.', examples: ['posttge_1795176000000_x7k2m9qa'] }),
    state: oneOf('State of the job; the last three are final.', JOB_STATES),
    type: Type.String({ description: '`type` as it was sent.' }),
    project: Type.String({ description: '`project` as it was sent, or the name that `asset` was read as.' }),
    project_url: nullableText(
      '`project_url` as it was sent, a bare host with `https://`; null where `asset` named no website.',
    ),
    created_at: time('When it was requested.'),
    started_at: nullableTime('When it was last begun; null while it waits.'),
    finished_at: nullableTime('When it ended; null until then.'),
    attempts: count('How often it was begun: again when the process that had it was lost.'),
    kind: oneOf('A caller’s score, or the collection of an asset, which belongs to no caller.', [
      'score',
      'collection',
    ]),
    collection_id: Type.Union([Type.String(), Type.Null()], {
      description:
        'The collection that a score waits for, or waited for (GET /v1/jobs/{id}: any scoring key may read it once it is published); null before its asset is known, and where a published rating was fresh enough.',
    }),
    data_mode: DataMode,
    result: Type.Union([Type.Unknown(), Type.Null()], {
      description: 'The score, in the form of `output_format` (as POST /v1/score returns it); null until it succeeded.',
    }),
    error: Type.Union([Type.Unknown(), Type.Null()], {
      description: 'Why it failed, a problem object (RFC 9457); null unless it did.',
    }),
  },
  { title: 'Job', description: 'A scoring job.' },
);
export const JobEvidence = Type.Unknown({
  description:
    'The evidence record (docs/replaying-a-dispute.md), of a score that of the collection which serves it: the canonical request, how the project was identified, every observation, the receipt of every reply (address, time, SHA-256), the sources’ outcomes, the peers and what was stored of the asset before.',
});

/** The 202 reply of a job that continues. */
export const AcceptedJob = Type.Object(
  {
    job_id: jobId,
    state: Type.String({ description: '`queued` or `running`.' }),
    location: Type.String({
      description: 'Where its state and result are read.',
      examples: ['/v1/jobs/posttge_1795176000000_x7k2m9qa'],
    }),
    data_mode: DataMode,
  },
  { title: 'AcceptedJob', description: 'The job continues; poll its address.' },
);

function eventOf<Name extends string, Fields extends TProperties>(type: Name, description: string, fields: Fields) {
  return Type.Object(
    {
      type: Type.Literal(type, { description: 'Name of the server-sent event.' }),
      id: Type.String({ description: 'Number of the event, from 1 without gaps: `Last-Event-ID` continues after it.' }),
      at: time('When it happened.'),
      ...fields,
      data_mode: DataMode,
    },
    { description },
  );
}
const source = {
  source: Type.String({ description: 'Name of the source.' }),
  endpoint: Type.String({ description: 'Which of its requests.' }),
};

/** Progress of a job. `type` and `id` are fields of the server-sent event, the other members are its `data`. */
export const JobEventView = Type.Union(
  [
    eventOf('state', 'The job has another state.', { state: oneOf('Its state from now on.', JOB_STATES) }),
    eventOf('identified', 'The asset is found.', {
      asset: AssetView,
      match: Type.Number({ description: 'How well the asset fits the request, 0-1.' }),
    }),
    eventOf('waiting', 'A request waits for its turn at a source whose request budget is short.', {
      ...source,
      seconds: count('How long it is expected to wait.'),
    }),
    eventOf('source', 'A request to a source has ended.', {
      ...source,
      outcome: textOf<RequestOutcome>('`ok`, `empty`, `not_found`, or why there is no reply.'),
      milliseconds: Type.Number({ description: 'How long it took.' }),
      observations: count('Observations read from the reply.'),
    }),
    eventOf('result', 'The asset is rated.', {
      band: describedHere(Band, 'Band of the rating.'),
      score: nullableNumber('0-100; null when not rated.'),
      trust: Type.Number({ description: 'Trust in the evidence, 0-100.' }),
    }),
    eventOf('failure', 'There is no rating.', {
      code: Type.String({ description: 'A stable code.' }),
      detail: Type.String({ description: 'What went wrong.' }),
    }),
  ],
  {
    title: 'JobEvent',
    description:
      'Progress of a job: `type` and `id` are fields of the server-sent event, the rest is its `data` (JSON).',
  },
);

/** A stored job event: `seq` counts from 1 without gaps. */
export type JobEvent = Kept<Reply<typeof JobEventView>>;
type Kept<Event> = Event extends unknown ? Omit<Event, 'id' | 'data_mode'> & { readonly seq: number } : never;

/** A stream of job events, as OpenAPI describes it. */
export const JobEventStream = Type.String({
  contentMediaType: 'text/event-stream',
  contentSchema: Type.Array(JobEventView),
  description: 'Server-sent events, until the job ends.',
});
