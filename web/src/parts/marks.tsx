import { bandColour, looksAs, points } from '../format.ts';
import type { Flag } from '../types.ts';

/** The band's letters carry the meaning; the colour only helps. */
export function Band({ band, large = false }: { readonly band: string; readonly large?: boolean }) {
  return (
    <span className={`band band-${band}${large ? ' large' : ''}`} style={looksAs(bandColour(band))}>
      {band}
    </span>
  );
}

/** For a column of bands. */
export const inBand = (band: string) => <Band band={band} />;

/** Each severity has a shape of its own: octagon, triangle, diamond, filled and open circle. */
const SHAPES: Readonly<Record<string, string>> = {
  critical: 'M5.2 1h5.6L15 5.2v5.6L10.8 15H5.200L1 10.800V5.200z',
  high: 'M8 1.500L15.2 14.500H0.800z',
  medium: 'M8 1.500L14.5 8 8 14.5 1.5 8z',
  low: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
};

function Shape({ severity }: { readonly severity: string }) {
  const outlined = severity === 'medium' || !(severity in SHAPES);
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={SHAPES[severity] ?? SHAPES.low}
        fill={outlined ? 'none' : 'currentColor'}
        stroke="currentColor"
        strokeWidth={outlined ? 1.8 : 0}
      />
      {(severity === 'critical' || severity === 'high') && (
        <path d="M8 4.800v4.400M8 11v1.5" stroke="var(--panel)" strokeWidth={1.8} />
      )}
    </svg>
  );
}

const ORDER = ['critical', 'high', 'medium', 'low', 'info'];

/** `short`: the shape alone, with the word for screen readers. */
export function Severity({ severity, short = false }: { readonly severity: string; readonly short?: boolean }) {
  return (
    <span className={`severity ${severity}`}>
      <Shape severity={severity} /> <span className={short ? 'vh' : undefined}>{severity}</span>
    </span>
  );
}

/** How many flags of each severity, worst first. */
export function FlagCounts({ flags }: { readonly flags: readonly Flag[] }) {
  if (flags.length === 0) return <span className="q">none</span>;
  return (
    <span className="flag-counts">
      {ORDER.map((severity) => {
        const many = flags.filter((flag) => flag.severity === severity).length;
        return many === 0 ? null : (
          <span key={severity} className={`severity ${severity}`}>
            <Shape severity={severity} /> {many}
            <span className="vh"> {severity} </span>
          </span>
        );
      })}
    </span>
  );
}

/** Trust has a style of its own, so that it is not taken for a part of the score. */
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
