import { Popover as RadixPopover } from 'radix-ui';
import type { PopoverProps } from './popover.tsx';

/** The panel of a `Popover`, open from the start: it is loaded by the press that opens it. */
export function OpenedPopover({ label, className = 'button', title, children }: PopoverProps) {
  return (
    <RadixPopover.Root defaultOpen>
      <RadixPopover.Trigger className={className}>{label}</RadixPopover.Trigger>
      <RadixPopover.Portal container={document.getElementById('overlays')}>
        <RadixPopover.Content className="popover" align="start" sideOffset={4} collisionPadding={8} aria-label={title}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
