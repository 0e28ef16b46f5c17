import { useQuery } from '@tanstack/react-query';
import { read } from './service.ts';
import { useKey } from './session.ts';

/** Permissions of each scope, in the order of the form. */
export const SCOPES = {
  score: 'rate projects',
  'rms:read': 'read ratings',
  'rms:write': 'watchlist, alerts, webhooks',
  'chain:read': 'chain data',
  account: 'the keys of its account',
  admin: 'everything, for the operator',
} as const;
export type Scope = keyof typeof SCOPES;

/** The account of the key: its plan, its scopes, and the usage of each limit. */
export function useAccount() {
  const key = useKey();
  return useQuery({ ...read('GET /v1/account'), enabled: key !== null, staleTime: 60_000 });
}

/** `const can = useScopes(); can('rms:write')`: null while loading. */
export function useScopes(): (scope: Scope) => boolean | null {
  const { data } = useAccount();
  return (scope) => (data ? data.key.scopes.includes(scope) || data.key.scopes.includes('admin') : null);
}
