import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { service } from '../data/service.ts';
import { points, words } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Band, Severity, Trust } from '../parts/marks.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox } from '../parts/problem.tsx';

interface Suggested {
  readonly project: string;
  readonly project_url: string;
  readonly token_symbol: string | null;
}

/** When a source was asked and when it had answered, in milliseconds since the job began. */
interface Span {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly outcome: string;
}

interface Verdict {
  readonly band: string;
  readonly score: number | null;
  readonly trust: number;
  readonly asset: string;
  readonly flags: readonly { readonly code: string; readonly severity: string; readonly title: string }[];
}

/** Three assets rated one after the other, so that their sources are not asked for more than they allow. */
export function FirstRatings({ assets }: { readonly assets: readonly Suggested[] }) {
  const [asked, setAsked] = useState(0);
  return (
    <>
      <PageHead title="Rate three assets now" sub="Every source that is asked, as it answers.">
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
  const { spans, verdict, error, took } = useRun(asset, begins, ended);
  const answered = spans.filter(({ outcome }) => outcome === 'ok').length;
  return (
    <Panel
      title={asset.project}
      sub={asset.token_symbol}
      meta={!begins ? 'waits for its turn' : took === null ? 'under way' : `${(took / 1000).toFixed(1)} s`}
      foot={begins ? `${answered} of ${spans.length} sources had something to say.` : undefined}
    >
      {verdict && (
        <div className="setup-verdict">
          <Band band={verdict.band} /> <b>{points(verdict.score)}</b> <span className="q">trust</span>{' '}
          <Trust score={verdict.trust} />
          <Link to="/asset/$name" params={{ name: verdict.asset }}>
            Open
          </Link>
          {verdict.flags.map((flag) => (
            <p key={flag.code}>
              <Severity severity={flag.severity} /> {flag.title}
            </p>
          ))}
        </div>
      )}
      {error && <ProblemBox error={error} />}
      <Timeline spans={spans} />
    </Panel>
  );
}

function Timeline({ spans }: { readonly spans: readonly Span[] }) {
  const most = Math.max(1, ...spans.map(({ to }) => to));
  return (
    <ul className="setup-timeline">
      {spans.map(({ source, from, to, outcome }) => (
        <li key={source}>
          <span>{words(source)}</span>
          <span className="lane" aria-hidden="true">
            <span
              data-outcome={outcome}
              style={{ left: `${(100 * from) / most}%`, width: `${Math.max(1, (100 * (to - from)) / most)}%` }}
            />
          </span>
          <span className="qq">{outcome === 'ok' ? `${((to - from) / 1000).toFixed(1)} s` : words(outcome)}</span>
        </li>
      ))}
    </ul>
  );
}

function useRun({ project, project_url: url, token_symbol: symbol }: Suggested, begins: boolean, ended: () => void) {
  const [spans, setSpans] = useState<readonly Span[]>([]);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [took, setTook] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a job is begun once, whatever is drawn meanwhile
  useEffect(() => {
    if (!begins) return;
    const gone = new AbortController();
    const begun = performance.now();
    const elapsed = () => performance.now() - begun;
    async function run(): Promise<void> {
      const request = {
        type: 'posttge' as const,
        project,
        project_url: url,
        ...(symbol ? { token_symbol: symbol } : {}),
      };
      const { job_id: id } = await service().startScore(request);
      for await (const event of service().jobEvents(id, { signal: gone.signal })) {
        if (event.type !== 'source') continue;
        const to = elapsed();
        const span = { source: event.source, from: Math.max(0, to - event.milliseconds), to, outcome: event.outcome };
        setSpans((before) => joined(before, span));
      }
      const result = await service().jobResult(id, 'standard', { signal: gone.signal });
      const severe = result.risk_flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
      setVerdict({
        band: result.rating.band,
        score: result.rating.score,
        trust: result.trust_score.score,
        asset: result.asset.id,
        flags: severe,
      });
    }
    run()
      .catch((reason: unknown) => {
        if (!gone.signal.aborted) setError(reason instanceof Error ? reason : new Error(String(reason)));
      })
      .finally(() => {
        if (gone.signal.aborted) return;
        setTook(elapsed());
        ended();
      });
    return () => gone.abort();
  }, [begins, url]);
  return { spans, verdict, error, took };
}

/** One bar for each source, over all of its endpoints; one good answer is an answer. */
function joined(before: readonly Span[], next: Span): readonly Span[] {
  const known = before.find(({ source }) => source === next.source);
  if (known === undefined) return [...before, next];
  const outcome = known.outcome === 'ok' ? 'ok' : next.outcome;
  const span = { ...next, from: Math.min(known.from, next.from), to: Math.max(known.to, next.to), outcome };
  return before.map((each) => (each === known ? span : each));
}
