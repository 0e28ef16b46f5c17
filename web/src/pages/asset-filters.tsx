import { words } from '../format.ts';
import { useRead } from '../use-read.ts';

export interface FilterValues {
  readonly band: string;
  readonly chain: string;
  readonly class: string;
  readonly flag: string;
  readonly min_trust: string;
}
export const EMPTY_FILTERS: FilterValues = { band: '', chain: '', class: '', flag: '', min_trust: '' };

const BANDS = [
  ['', 'Any band'],
  ['AAA,AA,A,BBB', 'BBB and better'],
  ['BB,B', 'BB and B'],
  ['CCC,CC,C,D', 'CCC and worse'],
  ['NR', 'Not rated'],
] as const;
const SORTS = [
  ['-score', 'Best score'],
  ['score', 'Worst score'],
  ['-trust', 'Best trust'],
  ['trust', 'Worst trust'],
  ['-as_of', 'Rated last'],
  ['symbol', 'Symbol'],
] as const;

/** What the service is to filter by; it does the work, not the page. */
export function Filters({
  values,
  onChange,
  sort,
  onSort,
}: {
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}) {
  const chains = useRead<{ readonly data: readonly { readonly chain: string; readonly title: string }[] }>(
    '/v1/chains',
  );
  const methodology = useRead<{
    readonly classes: Readonly<Record<string, { readonly title: string }>>;
    readonly flags: readonly { readonly code: string; readonly title: string }[];
  }>('/v1/methodology');
  const put = (name: keyof FilterValues, value: string) => {
    const next = { ...values, [name]: value };
    onChange(Object.values(next).every((each) => each === '') ? EMPTY_FILTERS : next);
  };
  const chainList =
    chains.state === 'ready' ? chains.value.data.map(({ chain, title }) => [chain, title] as const) : [];
  const known = methodology.state === 'ready' ? methodology.value : null;
  const classes = Object.entries(known?.classes ?? {}).map(([code, { title }]) => [code, title] as const);
  const flags = (known?.flags ?? []).map(({ code, title }) => [code, title] as const);
  return (
    <fieldset className="filters">
      <legend className="unseen">Filters</legend>
      <Choice label="Band" value={values.band} options={BANDS} onChange={(value) => put('band', value)} />
      <Choice
        label="Chain"
        value={values.chain}
        options={[['', 'Any chain'], ...chainList]}
        onChange={(value) => put('chain', value)}
      />
      <Choice
        label="Class"
        value={values.class}
        options={[['', 'Any class'], ...classes]}
        onChange={(value) => put('class', value)}
      />
      <Choice
        label="Flag"
        value={values.flag}
        options={[['', 'Any flags'], ...flags]}
        onChange={(value) => put('flag', value)}
      />
      <Choice
        label="Trust"
        value={values.min_trust}
        options={[
          ['', 'Any trust'],
          ['40', '40 and more'],
          ['60', '60 and more'],
          ['80', '80 and more'],
        ]}
        onChange={(value) => put('min_trust', value)}
      />
      <Choice
        label="Order"
        value={sort}
        options={SORTS.some(([code]) => code === sort) ? SORTS : [...SORTS, [sort, words(sort)]]}
        onChange={onSort}
      />
      {values !== EMPTY_FILTERS && (
        <button type="button" className="small" onClick={() => onChange(EMPTY_FILTERS)}>
          Clear
        </button>
      )}
    </fieldset>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([code, title]) => (
          <option key={code} value={code}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
