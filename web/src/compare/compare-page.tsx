import { useQueries } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { csvLine, saveFile } from '../data/save-file.ts';
import { read } from '../data/service.ts';
import { classOf, points, scoreInterval } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Band, FlagCounts, Severity } from '../parts/marks.tsx';
import { Known, Missing } from '../parts/missing.tsx';
import { PageHead, Panel } from '../parts/panel.tsx';
import { ProblemBox, Waiting } from '../parts/problem.tsx';
import { useToast } from '../parts/toast.tsx';
import type { Breakdown, Rating, ReplyOf } from '../types.ts';
import { AddAsset } from './add-asset.tsx';
import { FactorLines, ValueAgainstScore } from './comparison-charts.tsx';
import { Facts, factsOf } from './facts.tsx';

const MOST = 5;
const route = getRouteApi('/compare');

/** One asset of the comparison with its data. */
export interface Compared {
  readonly rating: Rating;
  readonly breakdown: Breakdown | null;
  readonly peers: ReplyOf<'GET /v1/rms/{asset}/peers'> | null;
}

/** Two to five assets side by side: verdicts, facts with their differences, factors and value. */
export function Page() {
  const { assets: names = [] } = route.useSearch();
  const navigate = useNavigate();
  const tell = useToast();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const chosen: readonly string[] = names.slice(0, MOST);
  const put = (assets: readonly string[]) => navigate({ to: '/compare', search: assets.length > 0 ? { assets } : {} });
  const ratings = useQueries({ queries: chosen.map((asset) => read('GET /v1/rms/{asset}', { path: { asset } })) });
  const breakdowns = useQueries({
    queries: chosen.map((asset) => read('GET /v1/rms/{asset}/breakdown', { path: { asset } })),
  });
  const peers = useQueries({ queries: chosen.map((asset) => read('GET /v1/rms/{asset}/peers', { path: { asset } })) });
  const compared = ratings.flatMap(({ data }, place): Compared[] =>
    data && 'trust_score' in data && 'score_interval' in data
      ? [{ rating: data as Rating, breakdown: breakdowns[place]?.data ?? null, peers: peers[place]?.data ?? null }]
      : [],
  );
  const copy = () =>
    navigator.clipboard?.writeText(location.href).then(
      () => tell('The link is copied.'),
      () => tell('The browser does not allow copying. Copy the address of this page.'),
    );
  const save = () => {
    const rows = factsOf(compared).map(({ name, cells }) => csvLine([name, ...cells.map(({ text }) => text)]));
    saveFile(csvLine(['', ...compared.map(({ rating }) => nameOf(rating))]) + rows.join(''), 'comparison.csv');
  };
  return (
    <>
      <PageHead title="Compare" sub={chosen.length === 0 ? 'Two to five assets' : undefined}>
        <Button onClick={copy} disabled={chosen.length === 0}>
          Copy link
        </Button>
        <Button onClick={save} disabled={compared.length === 0}>
          <Icon name="save" /> Export CSV
        </Button>
      </PageHead>
      <div className="chips">
        {chosen.map((name, place) => (
          <span key={name} className="chip on">
            {ratings[place]?.data && 'asset' in ratings[place].data ? nameOf(ratings[place].data as Rating) : name}
            <Button
              className="chip-close"
              aria-label={`Take ${name} away`}
              onClick={() => put(chosen.filter((one) => one !== name))}
            >
              <Icon name="close" />
            </Button>
          </span>
        ))}
        {chosen.length < MOST && <AddAsset taken={chosen} onAdd={(id) => put([...chosen, id])} />}
        {compared.length > 1 && (
          <Button className="chip" aria-pressed={onlyDifferent} onClick={() => setOnlyDifferent(!onlyDifferent)}>
            Only differences
          </Button>
        )}
      </div>
      {ratings.map(({ error, isPending, refetch }, place) =>
        error ? (
          <ProblemBox key={chosen[place]} error={error} again={refetch} />
        ) : isPending ? (
          <Waiting key={chosen[place]} what={`Reading ${chosen[place]}`} />
        ) : null,
      )}
      {chosen.length === 0 && (
        <p className="empty">
          Add assets by name, symbol or address, or select them in the <Link to="/assets">list of assets</Link> with{' '}
          <kbd>X</kbd>.
        </p>
      )}
      {chosen.length === 1 && <p className="empty">This is one asset. Add another to compare it with.</p>}
      {compared.length > 0 && (
        <>
          <div className="grid verdicts">
            {compared.map((one, place) => (
              <Verdict key={one.rating.asset.id} of={one.rating} mark={MARKS[place] ?? '●'} place={place} />
            ))}
          </div>
          <div className="grid comparison">
            <Facts compared={compared} onlyDifferent={onlyDifferent} />
            <FactorLines compared={compared} />
            <ValueAgainstScore compared={compared} />
            {compared.length > 1 && <Separation compared={compared} />}
          </div>
        </>
      )}
    </>
  );
}

/** Each asset has a symbol besides its colour. */
export const MARKS = ['●', '■', '▲', '◆', '★'];

export function nameOf({ asset }: Rating): string {
  return asset.symbol ?? asset.name ?? asset.id;
}

function Verdict({ of, mark, place }: { readonly of: Rating; readonly mark: string; readonly place: number }) {
  const severe = of.risk_flags.filter(({ severity }) => severity === 'critical' || severity === 'high');
  return (
    <Panel
      title={
        <>
          <span aria-hidden="true" style={{ color: `var(--s${place + 1})` }}>
            {mark}
          </span>{' '}
          <Link to="/asset/$name" params={{ name: of.asset.id }}>
            {of.asset.name ?? nameOf(of)}
          </Link>
        </>
      }
      meta={classOf(of.asset)}
    >
      {severe.map(({ code, severity, title }) => (
        <p key={code} className="severe-line">
          <Severity severity={severity} short /> <b>{title}</b>
        </p>
      ))}
      <div className="verdict-line">
        <Band band={of.band} large />
        <dl className="facts">
          <dt>Score</dt>
          <dd>
            <Known value={of.score} why="not_rated" todo="Open the asset to see what is missing.">
              {(score) => (
                <>
                  <b>{points(score)}</b> <span className="q">{scoreInterval(of.score_interval)}</span>
                </>
              )}
            </Known>
          </dd>
          <dt>Trust</dt>
          <dd>{points(of.trust_score)}</dd>
          <dt>Flags</dt>
          <dd>
            <FlagCounts flags={of.risk_flags} />
          </dd>
        </dl>
      </div>
    </Panel>
  );
}

/** The difference of two scores by factor, and the confidence of the order. */
function Separation({ compared }: { readonly compared: readonly Compared[] }) {
  const ranked = compared
    .filter(({ rating }) => rating.score !== null)
    .toSorted((a, b) => (b.rating.score ?? 0) - (a.rating.score ?? 0));
  const pairs = ranked.slice(1).flatMap((worse, place) => {
    const better = ranked[place];
    return better ? [[better, worse] as const] : [];
  });
  return (
    <Panel
      title="What separates them"
      foot="Points of each factor in the two scores. The order is sure where the 80 % intervals do not meet."
    >
      {pairs.length === 0 && <Missing why="not_rated" words="Two assets with a score are needed." />}
      {pairs.map(([better, worse]) => {
        const difference = (better.rating.score ?? 0) - (worse.rating.score ?? 0);
        const [low] = better.rating.score_interval ?? [];
        const [, high] = worse.rating.score_interval ?? [];
        const isKnown = low !== undefined && high !== undefined;
        const parts = (better.breakdown?.factors ?? [])
          .flatMap(({ code, name, contribution: here }) => {
            const there = worse.breakdown?.factors.find((one) => one.code === code);
            return there ? [{ name, by: here - there.contribution }] : [];
          })
          .filter(({ by }) => Math.abs(by) >= 0.1)
          .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by))
          .slice(0, 5);
        return (
          <div key={better.rating.asset.id} className="separation">
            <p>
              <b>
                {nameOf(better.rating)} and {nameOf(worse.rating)}
              </b>{' '}
              {points(difference)} points apart,{' '}
              {!isKnown
                ? 'without intervals to hold against each other'
                : low > high
                  ? 'the intervals do not meet'
                  : 'the intervals overlap: the order may be the other'}
            </p>
            <p className="q">
              {parts.length === 0
                ? 'Their factors are not alike: classes are rated by different factors.'
                : parts.map(({ name, by }) => `${name} ${by > 0 ? '+' : '−'}${Math.abs(by).toFixed(1)}`).join(', ')}
            </p>
          </div>
        );
      })}
    </Panel>
  );
}
