import type { ReactNode } from 'react';

/** Options to select; with `onTick` the page stores the selection itself. */
export function Choices<Word extends string>({
  legend,
  type = 'checkbox',
  name,
  words,
  say = (word) => word,
  isOn,
  onTick,
  isFixed,
  className = 'choices across',
}: {
  readonly legend: ReactNode;
  /** `radio`: one of them. */
  readonly type?: 'checkbox' | 'radio';
  readonly name?: string;
  readonly words: readonly Word[];
  readonly say?: (word: Word) => ReactNode;
  readonly isOn: (word: Word) => boolean;
  readonly onTick?: (word: Word, isOn: boolean) => void;
  /** It cannot be changed now. */
  readonly isFixed?: (word: Word) => boolean;
  readonly className?: string;
}) {
  return (
    <fieldset className={className}>
      <legend>{legend}</legend>
      {words.map((word) => (
        <label key={word}>
          <input
            type={type}
            name={name}
            value={word}
            disabled={isFixed?.(word)}
            {...(onTick
              ? { checked: isOn(word), onChange: ({ target }) => onTick(word, target.checked) }
              : { defaultChecked: isOn(word) })}
          />{' '}
          <span>{say(word)}</span>
        </label>
      ))}
    </fieldset>
  );
}
