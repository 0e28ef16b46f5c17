import type { ReactNode } from 'react';
import { Refused, Waiting } from '../parts/state.tsx';
import { useRead } from '../use-read.ts';

export interface Token {
  readonly chain: string;
  readonly address: string;
}

/** A chain snapshot; one that is not there yet is no failure and says what to do. */
export function SnapshotOf<T>({
  token,
  kind,
  path,
  children,
}: {
  readonly token: Token;
  readonly kind: string;
  readonly path: string;
  readonly children: (snapshot: T) => ReactNode;
}) {
  const reading = useRead<T>(path);
  if (reading.state === 'loading') return <Waiting what={kind} />;
  if (reading.state === 'ready') return children(reading.value);
  const { problem } = reading;
  if (problem.status !== 404) return <Refused problem={problem} again={reading.again} />;
  return (
    <div className="empty">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
      {problem.code === 'no_snapshot_yet' ? (
        <button type="button" onClick={reading.again}>
          Look again
        </button>
      ) : (
        <p>
          An administrator has it indexed with{' '}
          <code className="wrap">{`npx assay index add ${token.chain} ${token.address}`}</code>
        </p>
      )}
    </div>
  );
}
