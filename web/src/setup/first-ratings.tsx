import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { StandardScore } from '../../../client/src/api-types.ts';
import { service } from '../data/service.ts';
import { points } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Band, Severity, Trust } from '../parts/marks.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';
import { Lanes, useProgress } from '../parts/source-clock.tsx';

interface Suggested {
  readonly project: string;
  readonly project_url: string;
  readonly token_symbol: string | null;
}

/** Three assets rated one after the other, within the request budgets of their sources. */
export function FirstRatings({ assets }: { readonly assets: readonly Suggested[] }) {
  const [asked, setAsked] = useState(0);
  return (
    <>
      <PageHead title="Rate three assets now" sub="Every requested source, as it replies.">
        {asked === 0 && (
          <Button primary onClick={() => setAsked(1)}>
            Rate {assets.map(({ project }) => project).join(', ')}
          </Button>
        )}
      </PageHead>
      {asked > 0 && (
        <div className="grid setup-runs">
          {assets.map((asset, place) => (
            <Run
              key={asset.project_url}
              asset={asset}
              begins={place < asked}
              ended={() => setAsked((now) => Math.max(now, place + 2))}
            />
          ))}
        </div>
      )}
    </>
  );
}

function Run({
  asset,
  begins,
  ended,
}: {
  readonly asset: Suggested;
  readonly begins: boolean;
  readonly ended: () => void;
}) {
  const { lanes, result, error, took } = useRun(asset, begins, ended);
  const answered = lanes.filter(({ outcome }) => outcome === 'ok').length;
  const severe = result?.risk_flags.filter(({ severity }) => severity === 'critical' || severity === 'high') ?? [];
  return (
    <Panel
      title={asset.project}
      sub={asset.token_symbol}
      meta={!begins ? 'waits for its turn' : took === null ? 'under way' : `${(took / 1000).toFixed(1)} s`}
      foot={begins ? `${answered} of ${lanes.length} sources returned data.` : undefined}
    >
      {result && (
        <div className="setup-verdict">
          <Band band={result.rating.band} /> <b>{points(result.rating.score)}</b> <span className="q">trust</span>{' '}
          <Trust score={result.trust_score.score} />
          <Link to="/asset/$name" params={{ name: result.asset.id }}>
            Open
          </Link>
          {severe.map((flag) => (
            <p key={flag.code}>
              <Severity severity={flag.severity} /> {flag.title}
            </p>
          ))}
        </div>
      )}
      {error && <ProblemBox error={error} />}
      <Lanes lanes={lanes} last={Math.max(1, ...lanes.map(({ to }) => to))} />
    </Panel>
  );
}

interface End {
  readonly result?: StandardScore;
  readonly error?: Error;
  /** Milliseconds from its start. */
  readonly took: number | null;
}

/** Starts the job, follows its sources, and reads its result when it has ended. */
function useRun({ project, project_url: url, token_symbol: symbol }: Suggested, begins: boolean, ended: () => void) {
  const [id, setId] = useState<string | null>(null);
  const [end, setEnd] = useState<End>({ took: null });
  const begun = useRef(0);
  const { lanes, ended: isOver } = useProgress(id);
  const finish = (what: Omit<End, 'took'>) => {
    setEnd({ ...what, took: performance.now() - begun.current });
    ended();
  };
  const fail = (error: unknown) => finish({ error: error instanceof Error ? error : new Error(String(error)) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a job is begun once, whatever is drawn meanwhile
  useEffect(() => {
    if (!begins) return;
    begun.current = performance.now();
    const token = symbol ? { token_symbol: symbol } : {};
    const request = { type: 'posttge' as const, project, project_url: url, ...token };
    service()
      .startScore(request)
      .then(({ job_id: job }) => setId(job), fail);
  }, [begins, url]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its result is read once, when it has ended
  useEffect(() => {
    if (id === null || !isOver) return;
    const gone = new AbortController();
    service()
      .jobResult(id, 'standard', { signal: gone.signal })
      .then(
        (result) => finish({ result }),
        (error) => gone.signal.aborted || fail(error),
      );
    return () => gone.abort();
  }, [id, isOver]);
  return { lanes, ...end };
}
