import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ask, type Problem } from '../api.ts';
import { Candidates } from '../parts/candidates.tsx';
import { Refused } from '../parts/state.tsx';
import { linkTo } from '../route.ts';

/** Finds what begins so while typing; Enter asks the service for exactly this symbol, address or id. */
export function AssetSearch({ text, setText }: { readonly text: string; readonly setText: (text: string) => void }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const toSearch = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || (event.target as Element).closest('input, textarea, select')) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', toSearch);
    return () => removeEventListener('keydown', toSearch);
  }, []);
  async function lookUp(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === '') return;
    const reply = await ask<{ readonly asset_id: string }>(`/v1/rms/${encodeURIComponent(text.trim())}?view=digest`);
    if (reply.ok) location.hash = linkTo('asset', reply.value.asset_id);
    else setProblem(reply.problem);
  }
  return (
    <>
      <form className="search" onSubmit={lookUp}>
        <label htmlFor="search" className="unseen">
          Search by symbol, name or address
        </label>
        <input
          id="search"
          ref={input}
          type="search"
          value={text}
          maxLength={100}
          placeholder="Symbol, name or address (/ to search, Enter to open)"
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
        <button type="submit">Open</button>
      </form>
      {problem?.candidates ? <Candidates problem={problem} /> : problem && <Refused problem={problem} />}
    </>
  );
}
