import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Scope, useAccount, useScopes } from '../data/account.ts';
import { Waiting } from './problem.tsx';

/** Content for keys with a scope; other keys get the name of the scope and the remedy. */
export function NeedsScope({
  scope,
  to,
  children,
}: {
  readonly scope: Scope;
  /** The action that needs it, such as "add webhooks". */
  readonly to: string;
  readonly children: ReactNode;
}) {
  const can = useScopes()(scope);
  const { data, error } = useAccount();
  // Unknown scopes are tried: the service refuses with an explanation.
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
