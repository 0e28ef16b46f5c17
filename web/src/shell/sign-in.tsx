import { useMutation } from '@tanstack/react-query';
import { createClient } from '../../../client/src/client.ts';
import { AssayProblem, queries } from '../data/service.ts';
import { keepKey } from '../data/session.ts';
import { ProblemBox } from '../parts/problem.tsx';

/** Asks for an API key and tries it before the pages are shown. */
export function SignIn() {
  const signIn = useMutation({ mutationFn: tryKey, onSuccess: () => queries.invalidateQueries() });
  return (
    <section className="sign-in">
      <h1>Sign in</h1>
      <p>Ratings of crypto assets with the receipt for every number. Enter an API key of this service.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(String(new FormData(event.currentTarget).get('key') ?? '').trim());
        }}
      >
        <label htmlFor="key">API key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          pattern="[\x21-\x7e]{8,200}"
          title="A key looks like ak_live_ and letters, without spaces"
          placeholder="ak_live_…"
        />
        <button type="submit" className="button primary" disabled={signIn.isPending}>
          {signIn.isPending ? 'Trying the key …' : 'Sign in'}
        </button>
      </form>
      {signIn.error && <ProblemBox error={signIn.error} />}
      <p className="q">
        The key stays in this tab and is forgotten when you close it. The service printed the first one at its first
        start; more are made on the page Keys. The API itself is described at <a href="/docs">/docs</a>.
      </p>
    </section>
  );
}

async function tryKey(key: string): Promise<void> {
  const client = createClient({ baseUrl: location.origin, apiKey: key, retry: { retries: 1 } });
  await client.call('GET /v1/rms', { query: { limit: 1 } }).catch((error: unknown) => {
    // A key without this scope is still valid: the pages state what it may not do.
    if (!(error instanceof AssayProblem && error.status === 403)) throw error;
  });
  keepKey(key);
}
