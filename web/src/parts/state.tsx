import type { ReactNode } from 'react';
import type { Problem } from '../api.ts';
import type { Reading } from '../use-read.ts';

/** One of loading, refused, empty or the content: no page leaves a reader before a blank. */
export function Read<T>({
  reading,
  what,
  empty,
  children,
}: {
  readonly reading: Reading<T> & { readonly again: () => void };
  readonly what: string;
  /** Says why there is nothing, when there is nothing. */
  readonly empty?: (value: T) => ReactNode;
  readonly children: (value: T) => ReactNode;
}) {
  if (reading.state === 'loading') return <Waiting what={what} />;
  if (reading.state === 'refused') return <Refused problem={reading.problem} again={reading.again} />;
  const nothing = empty?.(reading.value);
  return nothing ? <div className="empty">{nothing}</div> : children(reading.value);
}

export function Waiting({ what }: { readonly what: string }) {
  return (
    <div className="waiting" role="status">
      <span className="spinner" aria-hidden="true" /> Reading {what} …
    </div>
  );
}

export function Refused({ problem, again }: { readonly problem: Problem; readonly again?: () => void }) {
  return (
    <div className="refused" role="alert">
      <strong>{problem.title}</strong>
      {problem.detail && <p>{problem.detail}</p>}
      {problem.errors && (
        <ul>
          {problem.errors.map((error) => (
            <li key={error.pointer + error.detail}>
              <code>{error.pointer || '/'}</code> {error.detail}
            </li>
          ))}
        </ul>
      )}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
