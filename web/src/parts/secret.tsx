import { useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that the service shows once. */
export function Secret({
  title,
  secret,
  children,
  onClose,
}: {
  readonly title: string;
  readonly secret: string;
  /** What to do with it. */
  readonly children: string;
  readonly onClose: () => void;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children} It is shown this once.</p>
      <p>
        <code className="secret">{secret}</code>
      </p>
      <p className="actions">
        <Button primary onClick={() => navigator.clipboard?.writeText(secret).then(() => setCopied(true))}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onClose}>I have kept it</Button>
      </p>
    </Dialog>
  );
}
