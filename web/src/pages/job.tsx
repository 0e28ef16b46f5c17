import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useElapsed } from '../data/clock.ts';
import { read, useChange } from '../data/service.ts';
import { many, minute, outcomeWords, sentence, sourceName, words } from '../format.ts';
import { Candidates, candidatesOf } from '../parts/candidates.tsx';
import { Panel } from '../parts/panel.tsx';
import { Loaded, ProblemBox } from '../parts/problem.tsx';
import { hasReplied, Lanes, type Progress, useProgress } from '../parts/source-clock.tsx';
import type { Job } from '../types.ts';
import { JobDetails, JobVerdict } from './job-result.tsx';
import '../style/asset.css';
import { Button } from '../parts/button.tsx';
import { LinkButton } from '../parts/link-button.tsx';

const route = getRouteApi('/job/$id');

/** A scoring job: its sources on a time line while it runs, then its result; for a failed one the attempts and the remedy. */
export function Page() {
  const { id } = route.useParams();
  const queries = useQueryClient();
  const job = useQuery(read('GET /v1/jobs/{id}', { path: { id }, query: { output_format: 'full' } }));
  const value = job.data as Job | undefined;
  const isRunning = value?.state === 'queued' || value?.state === 'running';
  const progress = useProgress(id);
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
            <Timeline
              progress={progress}
              since={value.created_at}
              isRunning={isRunning}
              severalFit={(value.error as unknown as Failure | null)?.code === 'ambiguous_project'}
            />
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

/** Progress of the sources. */
function Timeline({
  progress,
  since,
  isRunning,
  severalFit,
}: {
  readonly progress: Progress;
  readonly since: string;
  readonly isRunning: boolean;
  /** The request matched more than one asset. */
  readonly severalFit: boolean;
}) {
  const elapsed = useElapsed(Date.parse(since));
  const { lanes } = progress;
  const last = Math.max(1_000, ...lanes.map(({ to }) => to), isRunning ? elapsed * 1_000 : 0);
  const answered = lanes.filter(hasReplied).length;
  return (
    <Panel
      title="Sources on the clock"
      meta={`${many(progress.replies, 'request')}, ${many(progress.values, 'value')}`}
      className="timeline"
    >
      <p role="status">
        {isRunning && (
          <>
            <b>{elapsed} s</b> so far.{' '}
          </>
        )}
        {progress.found !== null
          ? `Found: ${progress.found}.`
          : isRunning
            ? 'Looking for the asset.'
            : severalFit
              ? 'Several assets fit.'
              : 'No asset was found.'}{' '}
        {many(answered, 'source')} answered, {lanes.length - answered} did not. {isRunning && progress.waiting}
      </p>
      {lanes.length === 0 ? (
        <p className="q">
          {isRunning
            ? 'The first requests are under way: registries and the site are requested to identify the asset.'
            : 'No request of this job was kept: the reply was a rating in force, or came from a collection under way.'}
        </p>
      ) : (
        <Lanes lanes={lanes} last={last} />
      )}
      {lanes.length > 0 && (
        <p className="foot">
          Each line is {(last / 1_000).toFixed(1)} s; the bar goes from a source’s first request to its last reply.
        </p>
      )}
    </Panel>
  );
}

interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly code?: string;
  readonly candidates?: unknown;
  readonly tried?: readonly string[];
}

/** `coingecko: list of all coins: ok` as readable text. */
function triedWords(text: string): string {
  const [, source, rest = ''] = /^([a-z0-9_]+): (.+)$/.exec(text) ?? [];
  const said = rest
    .replace(/: ok$/, ': it answered')
    .replace(/: empty$/, ': it has no data')
    .replace(/: ([a-z_]+)$/, (_, outcome: string) => `: ${outcomeWords(outcome)}`);
  return source === undefined ? sentence(text.replaceAll('_', ' ')) : `${sourceName(source)}: ${said}`;
}

/** Why there is no rating, the attempts, and one button to continue. */
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
  const asked = progress.lanes.map(({ name }) => sourceName(name));
  const tried = error.tried?.map(triedWords) ?? asked;
  return (
    <Panel title={error.title} className="failed">
      <p role="alert">{forPeople(error.detail)}</p>
      {tried.length > 0 && (
        <>
          <h3>What was tried</h3>
          <ul className="tried">
            {tried.map((one) => (
              <li key={one}>{one}</li>
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
        <LinkButton to="/score">Enter an address, a ticker or a website</LinkButton>
      </p>
      {again.error && <ProblemBox error={again.error} />}
    </Panel>
  );
}

/** The service names fields of the request; the page has a form. */
function forPeople(detail: string): string {
  return detail
    .replace(
      / tie equally to the project and its url; send token_address .*$/,
      ' tie equally to the project and its website. Choose one below.',
    )
    .replace('send token_address and blockchain', 'give the address of the token and its chain')
    .replace('send the id of one of the candidates as asset', 'choose one below')
    .replace('send type pretge', 'rate it as a project without a token')
    .replaceAll('project_url', 'website')
    .replaceAll('token_address', 'address of the token');
}
