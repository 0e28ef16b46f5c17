import { useState } from 'react';
import { Button } from './button.tsx';

/** A button for irreversible actions: it asks for a second click, and resets when it loses focus. */
export function Twice({
  name,
  about,
  onSure,
}: {
  readonly name: string;
  /** The object of the action, for screen readers. */
  readonly about: string;
  readonly onSure: () => void;
}) {
  const [asked, setAsked] = useState(false);
  return (
    <Button
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (asked) onSure();
        setAsked(!asked);
      }}
    >
      {asked ? 'Really?' : name}
      <span className="vh">
        {' '}
        {asked ? `${name} ` : ''}
        {about}
      </span>
    </Button>
  );
}
