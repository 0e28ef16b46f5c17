import type { ReactNode } from 'react';
import { Hint } from './hint.tsx';

/** Why a value is missing: a short text in its place, and the sentence behind it. */
const REASONS = {
  no_source: ['no source', 'No source that this service uses states it.'],
  had_none: ['none stated', 'The sources were requested and had no value.'],
  failed: ['failed', 'The sources that state it could not be reached, or refused.'],
  not_asked: ['not asked', 'It was not requested in this rating.'],
  not_applicable: ['not for this class', 'It does not exist for assets of this class.'],
  no_token: ['no token', 'The project has no token on a chain, so there is nothing to read.'],
  not_traded: ['not traded', 'No market of it was found.'],
  no_peers: ['too few peers', 'Too few rated assets of its class have the figure that it is compared by.'],
  too_early: ['too early', 'There is not enough history for it yet.'],
  withheld: ['withheld', 'The terms of the source forbid passing it on. It was counted.'],
  not_rated: ['not rated', 'The evidence is too thin for a score.'],
  held: ['held', 'A cap or a default holds the score here, so it has no interval.'],
  never: ['never', 'It has not happened.'],
  none: ['none', 'There is none.'],
  open: ['not decided yet', 'It was not decided yet.'],
} as const;

export type Reason = keyof typeof REASONS;

/**
 * In place of a missing value: the reason, its cost, the remedy and who can apply it. Never a bare dash.
 */
export function Missing({
  why,
  words,
  cost,
  todo,
}: {
  readonly why: Reason;
  /** Replaces the usual sentence where more is known, such as the source that failed. */
  readonly words?: string;
  /** Such as "−2.1 points" or "a wider interval". */
  readonly cost?: string;
  readonly todo?: string;
}) {
  const [short, sentence] = REASONS[why];
  const more = [words ?? sentence, cost && `Cost: ${cost}.`, todo].filter(Boolean).join(' ');
  return (
    <Hint words={more}>
      <span className="missing" data-words={more}>
        {short}
      </span>
    </Hint>
  );
}

/** For a column: shows a value, or why there is none. */
export const orMissing =
  <Value,>(why: Reason, words: string | undefined, show: (value: Value) => ReactNode) =>
  (value: Value | null | undefined) =>
    value === null || value === undefined ? <Missing why={why} {...(words ? { words } : {})} /> : show(value);

/** A value, or why there is none. */
export function Known<Value>({
  value,
  children,
  ...missing
}: {
  readonly value: Value | null | undefined;
  readonly children: (value: Value) => ReactNode;
} & Parameters<typeof Missing>[0]) {
  return value === null || value === undefined ? <Missing {...missing} /> : children(value);
}
