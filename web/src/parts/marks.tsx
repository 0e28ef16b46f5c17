import { useState } from 'react';
import { points } from '../format.ts';
import type { Flag } from '../types.ts';

/** The band's letters carry the meaning; the colour only helps. */
export function Band({ band, large = false }: { readonly band: string; readonly large?: boolean }) {
  return <span className={`band band-${band}${large ? ' large' : ''}`}>{band}</span>;
}

const SIGNS: Readonly<Record<string, string>> = { critical: '▲▲', high: '▲', medium: '◆', low: '●', info: '○' };
const ORDER = ['critical', 'high', 'medium', 'low', 'info'];

export function Severity({ severity }: { readonly severity: string }) {
  return (
    <span className={`severity ${severity}`}>
      <span aria-hidden="true">{SIGNS[severity] ?? '●'}</span> {severity}
    </span>
  );
}

/** How many flags of each severity, worst first. */
export function FlagCounts({ flags }: { readonly flags: readonly Flag[] }) {
  if (flags.length === 0) return <span className="quiet">none</span>;
  return (
    <span className="flag-counts">
      {ORDER.map((severity) => {
        const many = flags.filter((flag) => flag.severity === severity).length;
        return many === 0 ? null : (
          <span key={severity} className={`severity ${severity}`}>
            <span aria-hidden="true">{SIGNS[severity]}</span> {many}
            <span className="unseen"> {severity} </span>
          </span>
        );
      })}
    </span>
  );
}

/** Trust has a look of its own, so that nobody takes it for a part of the score. */
export function Trust({ score }: { readonly score: number }) {
  return (
    <span className="trust">
      <span className="trust-track" aria-hidden="true">
        <span style={{ width: `${score}%` }} />
      </span>
      <span className="number">{points(score)}</span>
    </span>
  );
}

/** A text to take along. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard
      ?.writeText(text)
      .then(() => setDone(true))
      .catch(() => setDone(false));
  return (
    <button
      type="button"
      className="small"
      onClick={copy}
      aria-label={label === 'link' ? 'Copy link' : `Copy ${label}`}
    >
      {done ? 'Copied' : label === 'link' ? 'Copy link' : 'Copy'}
    </button>
  );
}
