import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** A few words on what is under the pointer or has the focus. The trigger is a button unless `asChild`. */
export function Hint({ words, children }: { readonly words: ReactNode; readonly children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={300}>
      <Tooltip.Root>
        <Tooltip.Trigger className="hinted">{children}</Tooltip.Trigger>
        <Tooltip.Portal container={document.getElementById('overlays')}>
          <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
            {words}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
