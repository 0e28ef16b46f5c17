import type { FormEvent } from 'react';
import { classOf, dollars, percent, points, scoreInterval, words } from '../format.ts';
import { Band, FlagCounts, Trust } from '../parts/marks.tsx';
import { Read } from '../parts/state.tsx';
import { linkTo } from '../route.ts';
import type { Breakdown, Rating } from '../types.ts';
import { useRead } from '../use-read.ts';

const PLACES = [1, 2, 3, 4, 5];

/** Two to five assets beside each other. */
export function ComparePage({ names }: { readonly names: string }) {
  const chosen = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, PLACES.length);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = form
      .getAll('asset')
      .map((name) => String(name).trim())
      .filter((name) => name !== '');
    location.hash = linkTo('compare', '', { assets: wanted.join(',') });
  }
  return (
    <>
      <h1>Compare</h1>
      <form key={names} className="compare-form" onSubmit={submit}>
        {PLACES.map((place, index) => (
          <label key={place}>
            <span>Asset {place}</span>
            <input name="asset" maxLength={200} defaultValue={chosen[index] ?? ''} placeholder="Symbol or id" />
          </label>
        ))}
        <button type="submit" className="primary">
          Compare
        </button>
      </form>
      {chosen.length === 1 && <p className="note">This is one asset: name another to compare it with.</p>}
      {chosen.length === 0 ? (
        <div className="empty">Name two to five assets by symbol, address or id.</div>
      ) : (
        <div className="columns">
          {chosen.map((name) => (
            <Side key={name} name={name} />
          ))}
        </div>
      )}
    </>
  );
}

function Side({ name }: { readonly name: string }) {
  const rating = useRead<Rating>(`/v1/rms/${encodeURIComponent(name)}`);
  const breakdown = useRead<Breakdown>(`/v1/rms/${encodeURIComponent(name)}/breakdown`);
  return (
    <section className="card" aria-label={name}>
      <Read reading={rating} what={name}>
        {(value) => (
          <>
            <h2>
              <a href={linkTo('asset', value.asset.id)}>{value.asset.name ?? value.asset.symbol ?? name}</a>
            </h2>
            <dl className="facts">
              <dt>Rating</dt>
              <dd>
                <Band band={value.band} /> {points(value.score)}
              </dd>
              <dt>80 % interval</dt>
              <dd>{scoreInterval(value.score_interval)}</dd>
              <dt>Trust in the evidence</dt>
              <dd>
                <Trust score={value.trust_score} />
              </dd>
              <dt>Flags</dt>
              <dd>
                <FlagCounts flags={value.risk_flags} />
              </dd>
              <dt>Price over fair value</dt>
              <dd>
                {value.vfr.value === null ? 'not known' : `${value.vfr.value.toFixed(2)} × (${words(value.vfr.zone)})`}
              </dd>
              <dt>Market cap</dt>
              <dd>{dollars(value.market_cap_usd)}</dd>
              <dt>Class</dt>
              <dd>{classOf(value.asset)}</dd>
            </dl>
          </>
        )}
      </Read>
      {breakdown.state === 'refused' && rating.state === 'ready' && (
        <p className="note">No factors: {breakdown.problem.title.toLowerCase()}.</p>
      )}
      {breakdown.state === 'ready' && (
        <>
          <h3>Factors, points of 100</h3>
          <dl className="facts meters">
            {breakdown.value.factors.map(({ code, name: title, score }) => (
              <div key={code}>
                <dt>{title}</dt>
                <dd>
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect className="ground" width={100} height={8} />
                    <rect className="value" width={score} height={8} />
                  </svg>
                  <span className="number" title={percent(score, 0)}>
                    {points(score)}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
