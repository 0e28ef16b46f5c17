import { chainName } from '../format.ts';
import { Button } from './button.tsx';

interface Candidate {
  readonly asset: {
    readonly id: string;
    readonly name: string;
    readonly symbol: string | null;
    readonly chain: string | null;
  };
  readonly why: string;
}

/** The assets that may have been meant: several fit, or names are similar. None of other problems. */
export function candidatesOf(problem: { readonly code?: string; readonly candidates?: unknown }): readonly Candidate[] {
  const isOpen = problem.code === 'ambiguous_project' || problem.code === 'project_not_identified';
  return isOpen ? ((problem.candidates ?? []) as readonly Candidate[]) : [];
}

/** Each is rated by one click. */
export function Candidates({
  candidates,
  isBusy = false,
  onPick,
}: {
  readonly candidates: readonly Candidate[];
  readonly isBusy?: boolean;
  readonly onPick: (id: string) => void;
}) {
  return (
    <ul className="candidates" aria-label="Which one was meant?">
      {candidates.map(({ asset: { id, name, symbol, chain }, why }) => (
        <li key={id}>
          <span>
            <b>{name}</b> {symbol}{' '}
            <span className="q">
              {chain === null ? 'on no chain' : chainName(chain)}; {why}
            </span>
            <code className="under">{id.split(':').at(-1) ?? id}</code>
          </span>
          <Button primary disabled={isBusy} onClick={() => onPick(id)}>
            Rate this one
            <span className="vh">
              : {name}, {id}
            </span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
