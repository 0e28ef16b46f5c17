import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useElapsed } from '../data/clock.ts';
import { AssayConnectionError, AssayProblem } from '../data/service.ts';
import { chainName } from '../format.ts';
import { Button } from './button.tsx';
import { Band } from './marks.tsx';

/** A refusal or a failure of the service, and the remedy. */
export function ProblemBox({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const problem = error instanceof AssayProblem ? error.problem : null;
  const candidates = (problem?.candidates ?? []) as readonly Candidate[];
  return (
    <div className="problem" role="alert">
      <b>{problem?.title ?? titleOf(error)}</b>
      <p>{problem?.detail ?? (error instanceof AssayConnectionError ? error.message : 'Load the page again.')}</p>
      {problem?.errors && (
        <ul>
          {problem.errors.map(({ pointer, detail }) => (
            <li key={pointer + detail}>
              <code>{pointer || '/'}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {candidates.length > 0 && (
        <ul aria-label="Which one?">
          {candidates.map(({ id, chain, name, band }) => (
            <li key={id}>
              <Link to="/asset/$name" params={{ name: id }}>
                {name ?? id}
              </Link>{' '}
              on {chainName(chain)}, {band && <Band band={band} />}
            </li>
          ))}
        </ul>
      )}
      {again && <Button onClick={again}>Try again</Button>}
      {problem?.request_id && <p className="qq">Request {problem.request_id}</p>}
    </div>
  );
}

interface Candidate {
  readonly id: string;
  readonly chain: string;
  readonly name: string | null;
  readonly band?: string;
}

function titleOf(error: Error): string {
  if (!(error instanceof AssayConnectionError)) return 'The reply could not be read';
  return error.reason === 'timeout' ? 'The service took too long' : 'The service cannot be reached';
}

/** One of loading, refused, empty or the content: a page is never blank. */
export function Loaded<Value>({
  query,
  what,
  empty,
  children,
}: {
  readonly query: {
    readonly data: Value | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** The data being read, such as "the alerts". */
  readonly what: string;
  /** States why there is nothing and what to do, if there is nothing. */
  readonly empty?: (value: Value) => ReactNode;
  readonly children: (value: Value) => ReactNode;
}) {
  if (query.data === undefined)
    return query.error ? (
      <ProblemBox error={query.error} again={query.refetch} />
    ) : (
      <Waiting what={`Reading ${what}`} />
    );
  const nothing = empty?.(query.data);
  return (
    <>
      {query.error && <p className="stale">Not read again: {titleOf(query.error)}. What is shown is older.</p>}
      {nothing ? <div className="empty">{nothing}</div> : children(query.data)}
    </>
  );
}

/** States what is loading and for how long. */
export function Waiting({ what }: { readonly what: string }) {
  const seconds = useElapsed();
  return (
    <p className="waiting" role="status">
      {what} …{seconds >= 2 && <span aria-hidden="true"> {seconds} s</span>}
    </p>
  );
}
