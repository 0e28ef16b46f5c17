import { DropdownMenu, Popover as RadixPopover, Tabs as RadixTabs, Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** A few words on what is under the pointer or has the focus. The trigger is a button unless `asChild`. */
export function Hint({ words, children }: { readonly words: ReactNode; readonly children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className="hinted">{children}</Tooltip.Trigger>
      <Tooltip.Portal container={document.getElementById('overlays')}>
        <Tooltip.Content className="tip" sideOffset={4} collisionPadding={8}>
          {words}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** A small panel that opens at a button. */
export function Popover({
  label,
  className = 'button',
  title,
  children,
}: {
  readonly label: ReactNode;
  readonly className?: string;
  /** Name of the panel for those who do not see it. */
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger className={className}>{label}</RadixPopover.Trigger>
      <RadixPopover.Portal container={document.getElementById('overlays')}>
        <RadixPopover.Content className="popover" align="start" sideOffset={4} collisionPadding={8} aria-label={title}>
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}

/** A button with a list of actions. */
export function Menu({
  label,
  items,
}: {
  readonly label: ReactNode;
  readonly items: readonly { readonly title: ReactNode; readonly onSelect: () => void }[];
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button">{label}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.getElementById('overlays')}>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
          {items.map(({ title, onSelect }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a menu do not move
            <DropdownMenu.Item key={index} className="menu-item" onSelect={onSelect}>
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Parts of a page, one seen at a time. Keep `value` in the search parameters of the page, so that a link opens it. */
export function Tabs<const Value extends string>({
  value,
  onChange,
  label,
  tabs,
}: {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly label: string;
  readonly tabs: readonly { readonly value: Value; readonly title: ReactNode; readonly of: () => ReactNode }[];
}) {
  return (
    <RadixTabs.Root value={value} onValueChange={(next) => onChange(next as Value)} activationMode="manual">
      <RadixTabs.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className="tab">
            {tab.title}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value}>
          {tab.value === value && tab.of()}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
