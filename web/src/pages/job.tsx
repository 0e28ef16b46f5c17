import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useElapsed } from '../data/clock.ts';
import { read, useChange } from '../data/service.ts';
import { many, minute, sourceName, words } from '../format.ts';
import { Candidates, candidatesOf } from '../parts/candidates.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import type { Job } from '../types.ts';
import { JobDetails, JobVerdict } from './job-result.tsx';
import { type Progress, type SourceLane, useProgress } from './use-progress.ts';
import '../style/asset.css';
import { Button, LinkButton } from '../parts/button.tsx';

const route = getRouteApi('/job/$id');

/** A scoring job: its sources on a line of time while it runs, then its result; of a failed one what was tried, and how to go on. */
export function Page() {
  const { id } = route.useParams();
  const queries = useQueryClient();
  const job = useQuery(read('GET /v1/jobs/{id}', { path: { id }, query: { output_format: 'full' } }));
  const value = job.data as Job | undefined;
  const isRunning = value?.state === 'queued' || value?.state === 'running';
  const progress = useProgress(id, value?.created_at ?? null);
  const isStale = isRunning && progress.ended;
  useEffect(() => {
    if (isStale) void queries.invalidateQueries({ queryKey: ['GET /v1/jobs/{id}'] });
  }, [isStale, queries]);
  if (job.error !== null && value === undefined)
    return (
      <Panel title="Scoring job" level={1}>
        <ProblemBox error={job.error} again={job.refetch} />
      </Panel>
    );
  return (
    <Loaded query={job} what="the job">
      {() =>
        value === undefined ? null : (
          <div className="grid">
            <div className="page-head">
              <h1>{value.project}</h1>
              <p className="q">
                {isRunning ? 'Being rated' : words(value.state)}, asked for {minute(value.created_at)}
              </p>
              {isRunning && <Cancel id={id} />}
            </div>
            {value.error && <Failed job={value} progress={progress} />}
            {value.state === 'cancelled' && (
              <Panel title="Cancelled">
                <p>The job was cancelled before it had a result.</p>
                <p className="actions">
                  <LinkButton to="/score" primary>
                    Score it again
                  </LinkButton>
                </p>
              </Panel>
            )}
            {value.result && <JobVerdict result={value.result} />}
            <Timeline progress={progress} since={value.created_at} isRunning={isRunning} />
            {value.result && <JobDetails result={value.result} />}
          </div>
        )
      }
    </Loaded>
  );
}

function Cancel({ id }: { readonly id: string }) {
  const cancel = useChange('DELETE /v1/jobs/{id}', ['GET /v1/jobs/{id}']);
  return (
    <span className="actions">
      <Button onClick={() => cancel.mutate({ path: { id } })}>Cancel</Button>
      {cancel.error && <ProblemBox error={cancel.error} />}
    </span>
  );
}

const GOOD = ['ok', 'empty', 'not_found'];

/** One line for each source, from its first request to its last reply, on the clock of the job. */
function Timeline({
  progress,
  since,
  isRunning,
}: {
  readonly progress: Progress;
  readonly since: string;
  readonly isRunning: boolean;
}) {
  const elapsed = useElapsed(Date.parse(since));
  const { lanes } = progress;
  const last = Math.max(1_000, ...lanes.map(({ to }) => to), isRunning ? elapsed * 1_000 : 0);
  const sorted = lanes.toSorted((a, b) => a.from - b.from || a.to - b.to);
  const answered = lanes.filter(({ outcome }) => GOOD.includes(outcome)).length;
  return (
    <Panel
      title="Sources on the clock"
      meta={`${many(progress.replies, 'request')}, ${many(progress.values, 'value')}`}
      className="timeline"
    >
      <p role="status">
        {isRunning ? (
          <>
            <b>{elapsed} s</b> so far.{' '}
            {progress.found === null ? 'Looking for the asset.' : `Found: ${progress.found}.`}{' '}
            {many(answered, 'source')} answered, {lanes.length - answered} did not. {progress.waiting}
          </>
        ) : (
          <>
            {progress.found === null ? 'No asset was found.' : `Found: ${progress.found}.`} {many(answered, 'source')}{' '}
            answered, {lanes.length - answered} did not.
          </>
        )}
      </p>
      {lanes.length === 0 ? (
        <p className="q">
          {isRunning
            ? 'The first requests are under way: registries and the site are asked who it is.'
            : 'No request of this job was kept: it was answered with a rating that stood, or by a collection under way.'}
        </p>
      ) : (
        <ol className="lanes">
          {sorted.map((lane) => (
            <Lane key={lane.name} lane={lane} last={last} />
          ))}
        </ol>
      )}
      {lanes.length > 0 && (
        <p className="foot">
          Each line is {(last / 1_000).toFixed(1)} s; the bar goes from a source’s first request to its last reply.
        </p>
      )}
    </Panel>
  );
}

function Lane({ lane, last }: { readonly lane: SourceLane; readonly last: number }) {
  const { name, from, to, values, outcome } = lane;
  const isGood = GOOD.includes(outcome);
  return (
    <li>
      <span className="ellipsis" title={many(lane.replies, 'request')}>
        {sourceName(name)}
      </span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className={isGood ? 'good' : 'bad'}>
        <rect className="track" x={0} y={4} width={100} height={2} />
        <rect x={(from / last) * 100} y={1} width={Math.max(0.6, ((to - from) / last) * 100)} height={8} />
      </svg>
      <span className={isGood ? 'q' : 'neg'}>
        {outcome === 'ok'
          ? `${values === 0 ? 'nothing of it' : many(values, 'value')}, ${(to / 1_000).toFixed(1)} s`
          : outcome === 'not_found' || outcome === 'empty'
            ? 'does not know it'
            : outcome.replaceAll('_', ' ')}
      </span>
    </li>
  );
}

interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly code?: string;
  readonly candidates?: unknown;
  readonly tried?: readonly string[];
}

/** Why there is no rating, what was tried, and one press to go on. */
function Failed({ job, progress }: { readonly job: Job; readonly progress: Progress }) {
  const error = job.error as unknown as Failure;
  const navigate = useNavigate();
  const again = useChange('POST /v1/score');
  const start = (body: object) =>
    again.mutate({ body: { type: job.type, ...body } as never, headers: { prefer: 'respond-async' } } as never, {
      onSuccess: (reply) =>
        navigate({ to: '/job/$id', params: { id: (reply as unknown as { readonly job_id: string }).job_id } }),
    });
  const candidates = candidatesOf(error);
  const asked = progress.lanes.map(({ name }) => name.replaceAll('_', ' '));
  const tried = error.tried ?? asked;
  return (
    <Panel title={error.title} className="failed">
      <p role="alert">{forPeople(error.detail)}</p>
      {tried.length > 0 && (
        <>
          <h3>What was tried</h3>
          <ul className="tried">
            {tried.map((one) => (
              <li key={one}>{one.replaceAll('_', ' ')}</li>
            ))}
          </ul>
        </>
      )}
      {candidates.length > 0 && (
        <>
          <h3>Which one was meant?</h3>
          <Candidates candidates={candidates} isBusy={again.isPending} onPick={(asset) => start({ asset })} />
        </>
      )}
      <p className="actions">
        {job.project_url !== null && (
          <Button
            disabled={again.isPending}
            onClick={() => start({ project: job.project, project_url: job.project_url })}
          >
            Try once more
          </Button>
        )}
        {job.type !== 'pretge' && job.project_url !== null && (
          <Button
            disabled={again.isPending}
            onClick={() => start({ type: 'pretge', project: job.project, project_url: job.project_url })}
          >
            Rate it as a project without a token
          </Button>
        )}
        <LinkButton to="/score">Say it otherwise: address, ticker or website</LinkButton>
      </p>
      {again.error && <ProblemBox error={again.error} />}
    </Panel>
  );
}

/** The service speaks of fields of the request; a person has a form. */
function forPeople(detail: string): string {
  return detail
    .replace('send token_address and blockchain', 'give the address of the token and its chain')
    .replace('send type pretge', 'rate it as a project without a token')
    .replaceAll('project_url', 'website')
    .replaceAll('token_address', 'address of the token');
}
