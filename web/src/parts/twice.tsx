import { useState } from 'react';
import { Button } from './button.tsx';

/** A button for what cannot be taken back: it asks a second time, and forgets the first when it is left. */
export function Twice({
  name,
  about,
  onSure,
}: {
  readonly name: string;
  /** What it is done to, for those who do not see the row. */
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
