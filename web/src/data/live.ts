import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Alert } from '../../../client/src/api-types.ts';
import { createClient } from '../../../client/src/client.ts';
import { AssayProblem } from '../../../client/src/errors.ts';
import { useKey } from './session.ts';

export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

/**
 * Follows the account's alerts while the page is shown. Each one invalidates the data of its asset and the lists of
 * alerts; `onAlert` gets it at once.
 */
export function useLiveAlerts(onAlert?: (alert: Alert) => void): Connection {
  const key = useKey();
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback is no reason for a new connection
  useEffect(() => {
    if (key === null) return;
    const gone = new AbortController();
    const tell = (now: Connection) => gone.signal.aborted || setConnection(now);
    // The client reconnects by itself; only its fetch sees that.
    const watched: typeof fetch = async (...given) => {
      const reply = await fetch(...given).catch((error) => {
        tell('lost');
        throw error;
      });
      tell(reply.ok ? 'live' : 'lost');
      return reply;
    };
    const follow = async () => {
      const client = createClient({ baseUrl: location.origin, apiKey: key, fetch: watched });
      for await (const alert of client.alertStream({ signal: gone.signal })) {
        onAlert?.(alert);
        for (const name of ['GET /v1/alerts', 'GET /v1/rms/whitelist', 'GET /v1/rms', 'GET /v1/rms/{asset}'])
          queries.invalidateQueries({ queryKey: [name] });
      }
    };
    follow().catch((error: unknown) => tell(error instanceof AssayProblem ? 'refused' : 'lost'));
    return () => gone.abort();
  }, [key, queries]);
  return connection;
}
