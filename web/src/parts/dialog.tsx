import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <div className="backdrop" />
        <Radix.Content className={`${side ? 'drawer' : 'dialog'} ${className}`} aria-describedby={undefined}>
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
