import { useEffect, useState } from 'react';
import { ask, download } from '../api.ts';
import { minute, points, scoreInterval, signed, words } from '../format.ts';
import { Band, Copy, Severity, Trust } from '../parts/marks.tsx';
import { Table } from '../parts/old-table.tsx';
import { Read, Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { Job, ScoreResult } from '../types.ts';
import { useElapsed } from '../use-elapsed.ts';
import { useRead } from '../use-read.ts';
import { type Progress, useProgress } from './use-progress.ts';

/** A scoring job: what its sources are doing while it runs, then its result. */
export function JobPage({ id }: { readonly id: string }) {
  const job = useRead<Job>(`/v1/jobs/${encodeURIComponent(id)}?output_format=full`);
  const running = job.state === 'ready' && (job.value.state === 'queued' || job.value.state === 'running');
  const progress = useProgress(id, running);
  const { again } = job;
  useEffect(() => {
    if (progress.ended) again();
  }, [progress.ended, again]);
  if (job.state === 'refused')
    return (
      <>
        <h1>Scoring job</h1>
        <Refused problem={job.problem} again={again} />
      </>
    );
  return (
    <Read reading={job} what="the job">
      {(value) => (
        <>
          <div className="title-row">
            <h1>{value.project}</h1>
            <span className="quiet">{running ? 'Working' : words(value.state)}</span>
          </div>
          {running && <Working progress={progress} jobId={id} since={value.created_at} onCancelled={again} />}
          {value.error && (
            <div className="refused" role="alert">
              <strong>{value.error.title}</strong>
              <p>{value.error.detail}</p>
              <a href={linkTo('score')}>Score another project</a>
            </div>
          )}
          {value.state === 'cancelled' && <div className="empty">The job was cancelled before it had a result.</div>}
          {value.result && <Result result={value.result} />}
        </>
      )}
    </Read>
  );
}

function Working({
  progress,
  jobId,
  since,
  onCancelled,
}: {
  readonly progress: Progress;
  readonly jobId: string;
  /** When it was asked for. */
  readonly since: string;
  readonly onCancelled: () => void;
}) {
  const seconds = useElapsed(Date.parse(since));
  const cancel = async () => {
    await ask(`/v1/jobs/${encodeURIComponent(jobId)}`, { method: 'DELETE' });
    onCancelled();
  };
  return (
    <section className="card" aria-label="Progress">
      <p role="status">
        <span className="spinner" aria-hidden="true" /> {progress.sources.length} sources have answered,{' '}
        {progress.replies} replies, {progress.observations} observations. {progress.step}
      </p>
      <p className="quiet">
        <span className="number">{seconds} s</span> so far. Two dozen sources are asked at once for all who want to know
        of the asset; what does not answer costs trust.
      </p>
      <ul className="sources">
        {progress.sources.map(({ name, outcome, replies }) => (
          <li key={name} className={outcome === 'ok' ? 'ok' : 'not'}>
            <span aria-hidden="true">{outcome === 'ok' ? '✓' : '✕'}</span> {name}{' '}
            <span className="quiet">{outcome === 'ok' ? replies : outcome.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </ul>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </section>
  );
}

function Result({ result }: { readonly result: ScoreResult }) {
  const { rating, trust_score: trust, vfr } = result;
  const [note, setNote] = useState('');
  const save = async (accept: string, ending: string) => {
    const problem = await download(`/v1/jobs/${result.job_id}?output_format=full`, `${result.job_id}.${ending}`, {
      accept,
    });
    setNote(problem ? problem.title : 'The report was saved.');
  };
  return (
    <>
      <dl className="verdict">
        <div className="tile main">
          <dt>Rating of this moment</dt>
          <dd>
            <Band band={rating.band} large />
            <span className="score">
              {points(rating.score)} <small>of 100</small>
            </span>
            <span className="under">80 % interval {scoreInterval(rating.interval)}</span>
          </dd>
        </div>
        <div className="tile trusted">
          <dt>Trust in the evidence ({trust.tier})</dt>
          <dd>
            <Trust score={trust.score} />
            <span className="under">
              {Object.entries(trust.components)
                .map(([name, value]) => `${name} ${value.toFixed(2)}`)
                .join(', ')}{' '}
              of 1
            </span>
          </dd>
        </div>
        <div className="tile">
          <dt>Price over fair value</dt>
          <dd>
            <strong>{vfr.value === null ? 'Not known' : `${vfr.value.toFixed(2)} ×`}</strong>
            <span className="under">{vfr.reason ?? words(vfr.zone)}</span>
          </dd>
        </div>
      </dl>
      <p>{result.summary}</p>
      <p className="quiet wrap">
        Of {minute(result.as_of)}, methodology {result.methodology_version}. {result.asset.id}. Computed again by{' '}
        <code>npx assay replay {result.job_id}</code>
      </p>
      {result.not_published_because.map(({ code, detail }) => (
        <p key={code} className="note">
          <strong>Not published:</strong> {detail}
        </p>
      ))}
      {result.warnings.map((warning) => (
        <p key={warning} className="note">
          {warning}
        </p>
      ))}
      {rating.not_rated_reasons.length > 0 && <p className="note">Not rated: {rating.not_rated_reasons.join('; ')}</p>}
      <p className="actions no-print">
        {result.asset.chain !== null && (
          <a className="button primary" href={linkTo('asset', result.asset.id)}>
            Its published rating, with every receipt
          </a>
        )}
        <button type="button" onClick={() => print()}>
          Print
        </button>
        <button type="button" onClick={() => save('text/html', 'html')}>
          Report as HTML
        </button>
        <button type="button" onClick={() => save('application/json', 'json')}>
          Report as JSON
        </button>
        <Copy text={location.href} label="link" />
        <span role="status">{note}</span>
      </p>
      {result.caps_applied.map(({ code, cap, detail, binding }) => (
        <p key={code} className={binding ? 'alarm' : 'note'}>
          <strong>Cap {points(cap)}:</strong> {detail}
        </p>
      ))}
      {result.risk_flags.length > 0 && (
        <section className="card">
          <h2>Flags</h2>
          <Table
            caption="Risk flags"
            rows={result.risk_flags}
            keyOf={({ code }) => code}
            columns={[
              { title: 'Severity', of: ({ severity }) => <Severity severity={severity} /> },
              { title: 'Flag', of: ({ title }) => title },
              { title: 'What was seen', of: ({ detail }) => detail },
            ]}
          />
        </section>
      )}
      <section className="card">
        <h2>Factors</h2>
        <Table
          caption="Factors"
          rows={result.factors}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Factor', of: ({ name }) => name },
            { title: 'Of 100', number: true, of: ({ score }) => points(score) },
            { title: 'Points', number: true, of: ({ points: moved }) => signed(moved) },
            { title: 'Confidence', number: true, of: ({ confidence }) => confidence.toFixed(2) },
          ]}
        />
      </section>
      <section className="card">
        <h2>Sources</h2>
        <Sources caption="What each source did" rows={result.sources.filter(wasAsked)} />
        <details>
          <summary>Not asked ({result.sources.filter((source) => !wasAsked(source)).length})</summary>
          <Sources caption="Sources that were not asked" rows={result.sources.filter((source) => !wasAsked(source))} />
        </details>
      </section>
    </>
  );
}

type Source = ScoreResult['sources'][number];

function wasAsked({ outcome }: Source): boolean {
  return outcome !== 'disabled' && outcome !== 'unsupported';
}

function Sources({ caption, rows }: { readonly caption: string; readonly rows: readonly Source[] }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { title: 'Source', of: ({ name }) => name },
        { title: 'Outcome', of: ({ outcome }) => `${outcome === 'ok' ? '✓' : '✕'} ${outcome.replaceAll('_', ' ')}` },
        { title: 'Facts used', number: true, of: ({ items_used }) => items_used },
        { title: 'Time, ms', number: true, of: ({ milliseconds }) => Math.round(milliseconds) },
        { title: 'Note', of: ({ detail }) => detail ?? '' },
      ]}
    />
  );
}
