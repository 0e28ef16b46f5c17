import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Scope, useAccount, useScopes } from '../data/account.ts';
import { Waiting } from './problem.tsx';

/** What only keys with a scope may see or do; others are told which scope it is and what to do. */
export function NeedsScope({
  scope,
  to,
  children,
}: {
  readonly scope: Scope;
  /** What it is needed for, such as "add webhooks". */
  readonly to: string;
  readonly children: ReactNode;
}) {
  const can = useScopes()(scope);
  const { data, error } = useAccount();
  // What cannot be known is tried: the service refuses in words.
  if (can === true || error !== null) return children;
  if (can === null || !data) return <Waiting what="Reading what this key may do" />;
  return (
    <p className="q">
      To {to}, sign in with a key that has the scope <code>{scope}</code>; this one has{' '}
      {data.key.scopes.join(', ') || 'none'}. The owner of the account makes keys on the page{' '}
      <Link to="/account">Account</Link>.
    </p>
  );
}
