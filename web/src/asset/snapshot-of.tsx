import { type ReactNode, useEffect, useState } from 'react';
import type { Problem } from '../api.ts';
import { Refused, Waiting } from '../parts/state.tsx';
import { useElapsed } from '../use-elapsed.ts';
import { useRead } from '../use-read.ts';

const AGAIN_MS = 5_000;

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
  if (problem.code === 'no_snapshot_yet') return <OnItsWay problem={problem} again={reading.again} />;
  if (problem.status !== 404) return <Refused problem={problem} again={reading.again} />;
  return (
    <div className="empty">
      <strong>{problem.title}</strong>
      <p>{problem.detail}</p>
      <p>
        An administrator has it indexed with{' '}
        <code className="wrap">{`npx assay index add ${token.chain}:${token.address}`}</code>
      </p>
    </div>
  );
}

/** The first snapshot is being made: looked for again by itself, so that nobody has to press a button. */
function OnItsWay({ problem, again }: { readonly problem: Problem; readonly again: () => void }) {
  const [since] = useState(Date.now());
  const seconds = useElapsed(since);
  useEffect(() => {
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <div className="empty">
      <p role="status">
        <span className="spinner" aria-hidden="true" /> <strong>{problem.title}</strong>
      </p>
      <p>{problem.detail}</p>
      <p>
        Looked for again every {AGAIN_MS / 1000} s, for <span className="number">{seconds} s</span> so far. A token with
        very many holders takes minutes.
      </p>
    </div>
  );
}
