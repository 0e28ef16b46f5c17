import { useState } from 'react';
import { shortAddress } from '../format.ts';
import { Button } from './button.tsx';

/** An address or a transaction, shortened; a click copies it in full. */
export function Address({ of, what = 'address' }: { readonly of: string; readonly what?: string }) {
  const [done, setDone] = useState(false);
  const copy = () =>
    navigator.clipboard
      ?.writeText(of)
      .then(() => setDone(true))
      .catch(() => setDone(false));
  return (
    <Button className="address" title={of} onClick={copy} onBlur={() => setDone(false)}>
      <code>{shortAddress(of)}</code>
      {done && <span aria-hidden="true"> ✓</span>}
      <span className="vh">{done ? `, ${what} copied` : `, copy the ${what} ${of}`}</span>
    </Button>
  );
}

/** An address with its labels. */
export function Party({
  address,
  labels,
  isCreator = false,
}: {
  readonly address: string;
  readonly labels: readonly { readonly name: string; readonly kind: string }[];
  readonly isCreator?: boolean;
}) {
  return (
    <>
      <Address of={address} />
      {isCreator && <strong className="under left-out">the creator</strong>}
      {labels.map(({ name, kind }) => (
        <span key={kind + name} className="under">
          {name} ({kind.replaceAll('_', ' ')})
        </span>
      ))}
    </>
  );
}
