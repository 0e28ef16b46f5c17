import Type from 'typebox';
import { count, DataMode, jobId, nullableTime, oneOf, time } from './vocabulary.ts';

export const JobView = Type.Object(
  {
    job_id: Type.String({ description: 'Id of the job.', examples: ['posttge_1795176000000_x7k2m9qa'] }),
    state: oneOf('How far it is; the last three are final.', ['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    type: Type.String({ description: '`type` as it was sent.' }),
    project: Type.String({ description: '`project` as it was sent.' }),
    project_url: Type.String({ description: '`project_url` as it was sent.' }),
    created_at: time('When it was asked for.'),
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
      description: 'The score, in the form of `output_format` (as POST /v1/score answers); null until it succeeded.',
    }),
    error: Type.Union([Type.Unknown(), Type.Null()], {
      description: 'Why it failed, a problem object (RFC 9457); null unless it did.',
    }),
  },
  { title: 'Job', description: 'A scoring job.' },
);
export const JobEvidence = Type.Unknown({
  description:
    'The evidence record (docs/replaying-a-dispute.md), of a score that of the collection which answers it: the canonical request, how the project was identified, every observation, the receipt of every reply (address, time, SHA-256), the sources’ outcomes, the peers and what was remembered of the asset.',
});

/** The 202 of a job that goes on. */
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
  { title: 'AcceptedJob', description: 'The job goes on; ask at its address.' },
);
