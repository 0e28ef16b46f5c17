import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';

/**
 * A modal dialog, or a drawer at the right (`side`). Radix's own overlay is not used: it locks scrolling by an inline
 * style sheet, which the content security policy forbids; base.css does the same.
 */
export function Dialog({
  title,
  hideTitle = false,
  side = false,
  className = '',
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly hideTitle?: boolean;
  readonly side?: boolean;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [opener] = useState(() => document.activeElement);
  // Radix gives the focus back to a trigger of its own, and there is none: it would be lost to the top of the page.
  const giveBack = (event: Event) => {
    event.preventDefault();
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <div className="backdrop" />
        <Radix.Content
          className={`${side ? 'drawer' : 'dialog'} ${className}`}
          aria-describedby={undefined}
          onCloseAutoFocus={giveBack}
        >
          <header className={hideTitle ? 'vh' : undefined}>
            <Radix.Title>{title}</Radix.Title>
            {!hideTitle && (
              <Radix.Close className="button quiet-button" aria-label="Close">
                <Icon name="close" />
              </Radix.Close>
            )}
          </header>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
