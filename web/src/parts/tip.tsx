import { Tooltip } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';

/** `hasFocus`: it replaces a button that had the focus. */
export function Tip({
  words,
  hasFocus,
  children,
}: {
  readonly words: ReactNode;
  readonly hasFocus: boolean;
  readonly children: ReactNode;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus) trigger.current?.focus();
  }, [hasFocus]);
  return (
    <Tooltip.Provider delayDuration={300}>
      <Tooltip.Root defaultOpen>
        <Tooltip.Trigger ref={trigger} className="hinted">
          {children}
        </Tooltip.Trigger>
        <Tooltip.Portal container={document.getElementById('overlays')}>
          <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
            {words}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
