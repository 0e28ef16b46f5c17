import type { Json } from './json.ts';

/** What a project can say of itself that somebody else has to confirm (docs/decisions/0025-ties.md). */
export type TieKind = 'repository' | 'audit' | 'governance' | 'person' | 'bounty';

/**
 * How far a statement was confirmed. `confirmed`: the other end names the project, and nobody but its owner could have written
 * that. `linked`: a link leads there, and the other end was not read or does not name the project. `claimed`: no link leads
 * to anybody else.
 */
export type TieState = 'confirmed' | 'linked' | 'claimed';
const STATES: readonly TieState[] = ['claimed', 'linked', 'confirmed'];
const KINDS: readonly TieKind[] = ['repository', 'audit', 'governance', 'person', 'bounty'];

/** One statement of the project and its other end. Texts are outside text, cleaned and cut by the source. */
export interface Tie {
  readonly kind: TieKind;
  /** `owner/name`, an audit firm, a voting space, `github:<login>`, a bounty platform. */
  readonly subject: string;
  readonly state: TieState;
  /** What was found, in words. */
  readonly by: string;
  readonly link: string | null;
  /** GitHub owners that the other end names; it is confirmed when the project's repository belongs to one of them. */
  readonly owners?: readonly string[];
}

/** Items of the disclosure checklist: six that a page shows, and one for each kind of tie but the bounty. */
export const DISCLOSURE_ITEMS = 10;

const MOST_TIES = 40;

/** Rows of an observation of the quantity `ties`; what does not have their shape is left out. */
export function tiesIn(value: Json): readonly Tie[] {
  return (Array.isArray(value) ? value : []).slice(0, MOST_TIES).flatMap((row) => tieOf(row) ?? []);
}

function tieOf(value: Json): Tie | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { kind, subject, state, by, link, owners } = value as Readonly<Record<string, Json>>;
  const knownKind = KINDS.find((row) => row === kind);
  const knownState = STATES.find((row) => row === state);
  if (!knownKind || !knownState || typeof subject !== 'string' || typeof by !== 'string') return null;
  return {
    kind: knownKind,
    subject,
    state: knownState,
    by,
    link: typeof link === 'string' ? link : null,
    ...(Array.isArray(owners) ? { owners: owners.filter((row): row is string => typeof row === 'string') } : {}),
  };
}

/** True when `a` is confirmed further than `b`. */
export function isStronger(a: TieState, b: TieState): boolean {
  return STATES.indexOf(a) > STATES.indexOf(b);
}
