import { percent } from '../format.ts';

export interface Share {
  readonly key: string;
  readonly name: string;
  /** Of 100. */
  readonly share: number;
  readonly colour: string;
}

/** Shares of a whole as one bar; shares that add up to more are scaled. Read out as a sentence. */
export function ShareBar({ label, parts }: { readonly label: string; readonly parts: readonly Share[] }) {
  const total = Math.max(
    100,
    parts.reduce((sum, { share }) => sum + share, 0),
  );
  return (
    <span
      className="share-bar"
      role="img"
      aria-label={`${label}: ${parts.map(({ name, share }) => `${name} ${percent(share, 1)}`).join(', ')}`}
    >
      {parts.map(({ key, name, share, colour }) => (
        <i
          key={key}
          title={`${name}: ${percent(share, 1)}`}
          style={{ width: `${(share / total) * 100}%`, background: colour }}
        />
      ))}
    </span>
  );
}
