import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useMethodology } from '../data/flag-titles.ts';
import { read } from '../data/service.ts';
import { BANDS } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { Choices } from '../parts/choices.tsx';
import { Field, Select } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Popover } from '../parts/popover.tsx';

export interface Filters {
  readonly band?: readonly string[] | undefined;
  readonly chain?: string | undefined;
  readonly class?: string | undefined;
  readonly flag?: string | undefined;
  readonly trust?: number | undefined;
}
interface View extends Filters {
  readonly sort?: string | undefined;
}

const TRUST = [40, 60, 70, 80, 90];
const BUILT_IN: readonly (readonly [string, View])[] = [
  ['All', {}],
  ['BBB and better', { band: BANDS.slice(0, 4) }],
  ['CCC and worse', { band: ['CCC', 'CC', 'C', 'D'], sort: 'score' }],
  ['Stablecoins', { class: 'stable_fiat' }],
  ['Well evidenced', { trust: 80 }],
  ['Rated last', { sort: '-as_of' }],
];
const PLACE = 'assay-views';

/** Built-in views, and those stored in this browser. */
export function SavedViews({
  filters,
  sort,
  onChoose,
}: {
  readonly filters: Filters;
  readonly sort: string;
  readonly onChoose: (view: View) => void;
}) {
  const [kept, setKept] = useState<readonly (readonly [string, View])[]>(readViews);
  const now = keyOf({ ...filters, sort });
  const keep = (views: typeof kept) => {
    setKept(views);
    localStorage.setItem(PLACE, JSON.stringify(views));
  };
  const isNew = ![...BUILT_IN, ...kept].some(([, view]) => keyOf(view) === now);
  return (
    <nav className="views" aria-label="Saved views">
      {[...BUILT_IN, ...kept].map(([name, view]) => (
        <Button key={name} className="view" aria-pressed={keyOf(view) === now} onClick={() => onChoose(view)}>
          {name}
        </Button>
      ))}
      {isNew && (
        <Popover title="Save this view" label="+ Save view" className="view">
          <form
            className="fields"
            onSubmit={(event) => {
              event.preventDefault();
              const name = String(new FormData(event.currentTarget).get('name')).trim();
              if (name !== '') keep([...kept.filter(([one]) => one !== name), [name, { ...filters, sort }]]);
            }}
          >
            <label>
              Name of the view
              <input name="name" required maxLength={40} />
            </label>
            <button type="submit" className="button primary">
              Save
            </button>
          </form>
        </Popover>
      )}
      {kept.some(([, view]) => keyOf(view) === now) && (
        <Button className="view" onClick={() => keep(kept.filter(([, view]) => keyOf(view) !== now))}>
          Forget this view
        </Button>
      )}
    </nav>
  );
}

function keyOf({ sort = '-score', band, ...rest }: View): string {
  return JSON.stringify([sort, band ?? [], rest.chain, rest.class, rest.flag, rest.trust]);
}

function readViews(): readonly (readonly [string, View])[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one) && typeof one[0] === 'string') : [];
  } catch {
    return [];
  }
}

/** Each filter is a chip with its value; its cross clears it. */
export function FilterChips({
  filters,
  onChange,
  children,
}: {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
  readonly children: ReactNode;
}) {
  const chains = useQuery({ ...read('GET /v1/chains'), staleTime: 3_600_000 });
  const methodology = useMethodology();
  const classes = Object.entries(methodology.data?.classes ?? {}).map(([code, { title }]) => [code, title] as const);
  const flags = (methodology.data?.flags ?? []).map(({ code, title }) => [code, title] as const);
  const chainNames = (chains.data?.data ?? []).map(({ chain, title }) => [chain, title] as const);
  const bands = filters.band ?? [];
  return (
    <div className="chips">
      {children}
      <Chip name="Band" set={bands.length > 0 ? bands.join(', ') : null} onClear={() => onChange({ band: undefined })}>
        <Choices
          legend="Bands"
          className="choices bands-choice"
          words={BANDS}
          isOn={(band) => bands.includes(band)}
          onTick={(band, isOn) => {
            const next = BANDS.filter((one) => (one === band ? isOn : bands.includes(one)));
            onChange({ band: next.length === 0 ? undefined : next });
          }}
        />
      </Chip>
      <Choice name="Class" value={filters.class} options={classes} onChange={(value) => onChange({ class: value })} />
      <Choice
        name="Chain"
        value={filters.chain}
        options={chainNames}
        onChange={(value) => onChange({ chain: value })}
      />
      <Choice name="Flag" value={filters.flag} options={flags} onChange={(value) => onChange({ flag: value })} />
      <Choice
        name="Trust"
        value={filters.trust === undefined ? undefined : String(filters.trust)}
        options={TRUST.map((least) => [String(least), `${least} and above`])}
        onChange={(value) => onChange({ trust: value === undefined ? undefined : Number(value) })}
      />
    </div>
  );
}

function Choice({
  name,
  value,
  options,
  onChange,
}: {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string | undefined) => void;
}) {
  const title = options.find(([code]) => code === value)?.[1] ?? value ?? null;
  return (
    <Chip name={name} set={title} onClear={() => onChange(undefined)}>
      <div className="choices">
        <Field label={name}>
          <Select any="Any" options={options} value={value} onChoose={onChange} />
        </Field>
      </div>
    </Chip>
  );
}

function Chip({
  name,
  set,
  onClear,
  children,
}: {
  readonly name: string;
  readonly set: string | null;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  return (
    <span className="chip-pair" data-on={set !== null}>
      <Popover
        title={`Filter: ${name}`}
        label={`${name}: ${set ?? 'any'}`}
        className={set === null ? 'chip' : 'chip on'}
      >
        {children}
      </Popover>
      {set !== null && (
        <Button className="chip on" aria-label={`Clear the filter ${name}`} onClick={onClear}>
          <Icon name="close" />
        </Button>
      )}
    </span>
  );
}
