import type { Problem } from '../api.ts';
import { linkTo } from '../route.ts';
import { Band } from './marks.tsx';

/** Which of several assets of one name was meant. */
export function Candidates({ problem }: { readonly problem: Problem }) {
  return (
    <div className="note" role="status">
      <strong>{problem.title}.</strong> Which one?
      <ul>
        {(problem.candidates ?? []).map(({ id, chain, name, band }) => (
          <li key={id}>
            <a href={linkTo('asset', id)}>{name ?? id}</a> on {chain}, <Band band={band} />
          </li>
        ))}
      </ul>
    </div>
  );
}
