import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

/** Parts of a page, one shown at a time. Keep `value` in the search parameters of the page, so that a link opens it. */
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
