import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from './button.tsx';

const Opened = lazy(() => import('./opened-popover.tsx').then(({ OpenedPopover }) => ({ default: OpenedPopover })));

export interface PopoverProps {
  readonly label: ReactNode;
  readonly className?: string;
  /** Name of the panel for screen readers. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A small panel that a button opens; its library is loaded on first use. */
export function Popover(props: PopoverProps) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <Button className={props.className ?? 'button'} aria-haspopup="dialog" onClick={() => setWanted(true)}>
      {props.label}
    </Button>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <Opened {...props} />
    </Suspense>
  ) : (
    button
  );
}
