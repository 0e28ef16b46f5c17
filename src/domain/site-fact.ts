import type { Json } from './json.ts';

/** What a sentence of a project's own site can state. */
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
 * One fact, with the sentence and the page it came from. It is the project's own claim; `link` is where somebody else could
 * confirm it. All texts are outside text, cleaned and cut.
 */
export interface SiteFact {
  readonly kind: SiteFactKind;
  /** Whom or what it is about: a person, a firm, a round, a group of holders. */
  readonly name: string | null;
  /** US dollars, tokens, users, a share 0-1, a year or words; a state, a role or a date. */
  readonly value: string | number | null;
  /** `team` or `advisor`; `lead` or `other`; a registration number. */
  readonly detail: string | null;
  /** On a host that is not the project's own. */
  readonly link: string | null;
  readonly sentence: string;
  readonly url: string;
}

const TEXTS = ['name', 'detail', 'link'] as const;

/** Facts from an observation's value; what does not have their shape is left out. */
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
