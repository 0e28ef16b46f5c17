import type { Json } from './observation.ts';

/** Kinds of statements that a sentence on a project's own site can make. */
export type SiteFactKind =
  | 'page'
  | 'person'
  | 'pseudonym'
  | 'prior_work'
  | 'product'
  | 'documentation'
  | 'unread_paper'
  | 'raise'
  | 'investor'
  | 'supply'
  | 'allocation'
  | 'vesting'
  | 'utility'
  | 'tge_date'
  | 'no_token'
  | 'token_sale'
  | 'entity'
  | 'jurisdiction'
  | 'audit'
  | 'bounty'
  | 'testnet_users'
  | 'testnet_contract'
  | 'founded'
  | 'other_project'
  | 'machine_text';

/**
 * One fact, with its sentence and page. It is the project's own claim; `link` is where another party could confirm it.
 * All texts are untrusted, cleaned and truncated.
 */
export interface SiteFact {
  readonly kind: SiteFactKind;
  /** Its subject: a person, a firm, a round, a group of holders. */
  readonly name: string | null;
  /** US dollars, tokens, users, a share 0-1, a year or text; a state, a role or a date. */
  readonly value: string | number | null;
  /** `team` or `advisor`; `lead` or `other`; a registration number. */
  readonly detail: string | null;
  /** On a host that is not the project's own. */
  readonly link: string | null;
  readonly sentence: string;
  readonly url: string;
}

const TEXTS = ['name', 'detail', 'link'] as const;

/** Facts in an observation's value; entries with another shape are omitted. */
export function siteFacts(value: Json): readonly SiteFact[] {
  return (Array.isArray(value) ? value : []).filter(isSiteFact);
}

function isSiteFact(row: unknown): row is SiteFact {
  if (typeof row !== 'object' || row === null) return false;
  const fact = row as Readonly<Record<string, unknown>>;
  return (
    typeof fact.kind === 'string' &&
    typeof fact.sentence === 'string' &&
    typeof fact.url === 'string' &&
    TEXTS.every((name) => fact[name] === null || typeof fact[name] === 'string') &&
    (fact.value === null || typeof fact.value === 'string' || Number.isFinite(fact.value))
  );
}

/** Statements of a project about itself that another party has to confirm (docs/decisions/0025-ties.md). */
export type TieKind = 'repository' | 'audit' | 'governance' | 'person' | 'bounty';

/**
 * Degree of confirmation. `confirmed`: the other end names the project in text that only its owner could have written.
 * `linked`: a link leads there, but the other end was not read or does not name the project. `claimed`: there is no
 * link to another party.
 */
export type TieState = 'confirmed' | 'linked' | 'claimed';
const STATES: readonly TieState[] = ['claimed', 'linked', 'confirmed'];
const KINDS: readonly TieKind[] = ['repository', 'audit', 'governance', 'person', 'bounty'];

/** One statement of the project with its other end. Texts are untrusted; the source cleans and truncates them. */
export interface Tie {
  readonly kind: TieKind;
  /** `owner/name`, an audit firm, a voting space, `github:<login>`, a bounty platform. */
  readonly subject: string;
  readonly state: TieState;
  /** The finding, as text. */
  readonly by: string;
  readonly link: string | null;
  /**
   * GitHub owners that the other end names. The tie is confirmed when the project's repository belongs to one of them.
   */
  readonly owners?: readonly string[];
}

/**
 * Number of items in the disclosure checklist: six that a page can show, and one for each kind of tie except the
 * bounty.
 */
export const DISCLOSURE_ITEMS = 10;

const MOST_TIES = 40;

/** Rows of an observation of the quantity `ties`; entries with another shape are omitted. */
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

/** True when `a` has a higher degree of confirmation than `b`. */
export function isStronger(a: TieState, b: TieState): boolean {
  return STATES.indexOf(a) > STATES.indexOf(b);
}
