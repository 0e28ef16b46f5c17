import type { ChangeEvent, ComponentProps, ReactNode } from 'react';
import { ProblemBox } from './problem.tsx';

/** Values of a form, by the names of its fields. */
export interface Given {
  /** Trimmed; empty if nothing was entered. */
  readonly text: (name: string) => string;
  /** The selected options, in their own order. */
  readonly ticked: <Word extends string>(name: string, words: readonly Word[]) => Word[];
  readonly reset: () => void;
}

/** Fields, the result of sending them, and the button that sends them. */
export function Form({
  change,
  submit,
  isReady = true,
  onSend,
  beside,
  children,
}: {
  /** Its refusal is shown, and nothing is sent while it is pending. */
  readonly change: { readonly error: Error | null; readonly isPending: boolean };
  readonly submit: ReactNode;
  readonly isReady?: boolean;
  readonly onSend: (given: Given) => void;
  /** Beside the button. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const given = new FormData(form);
        onSend({
          text: (name) => String(given.get(name) ?? '').trim(),
          ticked: (name, words) => words.filter((word) => given.getAll(name).includes(word)),
          reset: () => form.reset(),
        });
      }}
    >
      {children}
      {change.error && <ProblemBox error={change.error} />}
      <span className="actions">
        <button type="submit" className="button primary" disabled={!isReady || change.isPending}>
          {submit}
        </button>
        {beside}
      </span>
    </form>
  );
}

/** A field below its label: an input, or the given children. */
export function Field({ label, children, ...input }: ComponentProps<'input'> & { readonly label: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the children are one
    <label>
      <span>{label}</span>
      {children ?? <input {...input} />}
    </label>
  );
}

/** One of several options. With `any`, the first choice means none of them. `label` names it if no label is visible. */
export function Select<Word extends string>({
  label,
  any,
  options,
  onChoose,
  ...rest
}: Omit<ComponentProps<'select'>, 'onChange'> & {
  readonly label?: string;
  readonly any?: string;
  readonly options: readonly (readonly [Word, ReactNode])[];
  readonly onChoose?: (word: Word | undefined) => void;
}) {
  const chosen = onChoose && {
    value: rest.value ?? '',
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) =>
      onChoose(options.find(([word]) => word === target.value)?.[0]),
  };
  return (
    <select {...rest} aria-label={label} {...chosen}>
      {any !== undefined && <option value="">{any}</option>}
      {options.map(([word, title]) => (
        <option key={word} value={word}>
          {title}
        </option>
      ))}
    </select>
  );
}
