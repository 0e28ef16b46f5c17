import { useState } from 'react';
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
        <button
          type="button"
          className="button primary"
          onClick={() => navigator.clipboard?.writeText(secret).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          I have kept it
        </button>
      </p>
    </Dialog>
  );
}
