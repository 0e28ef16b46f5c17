import { type FormEvent, useState } from 'react';
import { ask, type Problem } from './api.ts';
import { Refused } from './parts/state.tsx';
import { keepKey } from './session.ts';

/** Asks for an API key and tries it before it is kept. */
export function SignIn({ onDone }: { readonly onDone: () => void }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim();
    if (!/^[\x21-\x7e]{8,200}$/.test(key)) {
      setProblem({ status: 0, code: 'malformed', title: 'This is no key', detail: 'A key looks like ak_live_...' });
      return;
    }
    setBusy(true);
    keepKey(key);
    const reply = await ask('/v1/rms?limit=1');
    setBusy(false);
    // A key without this scope is still a key: the pages say what it may not do.
    if (reply.ok || reply.problem.status === 403) return onDone();
    keepKey(null);
    setProblem(reply.problem);
  }
  return (
    <main className="sign-in" id="content">
      <h1>Sign in</h1>
      <p>Ratings of crypto assets with the receipt for every number. Enter an API key of this service.</p>
      <form onSubmit={submit}>
        <label htmlFor="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          placeholder="ak_live_…"
        />
        <button type="submit" className="primary" disabled={busy}>
          {busy ? 'Trying the key …' : 'Sign in'}
        </button>
      </form>
      {problem && <Refused problem={problem} />}
      <p className="quiet">
        The key stays in this tab and is forgotten when you close it. The service printed the first one at its first
        start; more are made on the page Keys. The API itself is described at <a href="/docs">/docs</a>.
      </p>
    </main>
  );
}
