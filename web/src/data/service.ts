import { QueryCache, QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type Client, createClient } from '../../../client/src/client.ts';
import { AssayConnectionError, AssayProblem } from '../../../client/src/errors.ts';
import type { Input, OperationName, Reply } from '../../../client/src/operation.ts';
import { keepKey, readKey } from './session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: AssayProblem | AssayConnectionError;
  }
}

/** An operation that only reads. */
type Reading = Extract<OperationName, `GET ${string}`>;
/** Operations without a required part need no input. */
type Given<Name extends OperationName> = object extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

const made = new Map<number, { readonly key: string | null; readonly client: Client }>();

/** The typed client with the key of this tab. It retries temporary failures (429, 503, a lost connection). */
export function service(retries = 2): Client {
  const key = readKey();
  const kept = made.get(retries);
  if (kept?.key === key) return kept.client;
  const client = createClient({
    baseUrl: location.origin,
    retry: { retries },
    ...(key === null ? {} : { apiKey: key }),
  });
  made.set(retries, { key, client });
  return client;
}

/** `useQuery(read('GET /v1/rms/{asset}', { path: { asset } }))`: typed by the API's OpenAPI document. */
export function read<Name extends Reading>(name: Name, ...[input]: Given<Name>) {
  const given = (input ?? {}) as Input<Name>;
  return queryOptions<Reply<Name>>({
    queryKey: [name, given],
    queryFn: ({ signal }) => service().call(name, { ...given, signal } as Input<Name>),
  });
}

/** An operation that changes data; afterwards the data of the operations in `outdates` is read again. */
export function useChange<Name extends OperationName>(name: Name, outdates: readonly Reading[] = []) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<Name>) => service().call(name, input),
    onSuccess: () => Promise.all(outdates.map((one) => queries.invalidateQueries({ queryKey: [one] }))),
  });
}

/** Cache of replies. The client retries by itself, so the cache does not. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, gcTime: 600_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({
    onError: (error) => {
      // The key was revoked or has expired: the sign-in page states what to do.
      if (error instanceof AssayProblem && error.status === 401 && readKey() !== null) forgetKey();
    },
  }),
});

/** Signs out: no data read with the key stays in memory. */
export function forgetKey(): void {
  keepKey(null);
  queries.clear();
}

export { AssayConnectionError, AssayProblem };
