import type { ConsensusSet, Json, QuantityId, RequestOutcome } from '../domain/index.ts';
import { isStronger, oncePer, sourceFor, type Tie, type TieKind, tiesIn } from '../domain/index.ts';
import { rowsWith } from '../metrics/index.ts';
import { type Context, type FeatureReading, keyOf } from './context.ts';

/** A statement of the project with the observations that support it. */
export interface KnownTie extends Tie {
  /** Keys into the `ConsensusSet`. */
  readonly keys: readonly string[];
}

type Given = Pick<Context['input'], 'consensus'>;

/**
 * Lists every statement that needs another party once, at the highest level of confirmation that any source reports. An
 * audit that names a repository is confirmed when the project's own confirmed repository has the same owner. In a
 * stable order.
 */
export function tiesOf(input: Given): readonly KnownTie[] {
  return tiesOfSet(input.consensus);
}

const TIES: QuantityId = 'ties';

const tiesOfSet = oncePer((set: ConsensusSet): readonly KnownTie[] => {
  const found = new Map<string, KnownTie>();
  const rows = rowsWith(set, TIES)
    .filter((row) => row.value !== null)
    .map((row) => ({ key: keyOf(row), value: row.value as Json }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, value } of rows)
    for (const tie of tiesIn(value)) {
      const id = `${tie.kind} ${tie.subject.toLowerCase()}`;
      const known = found.get(id);
      found.set(id, known === undefined ? { ...tie, keys: [key] } : merged(known, tie, key));
    }
  const all = [...found.values()];
  const repositories = all.filter((tie) => tie.kind === 'repository');
  const owners = new Set(repositories.filter((tie) => tie.state === 'confirmed').map(ownerOf));
  const named = new Set(repositories.map((tie) => `github:${ownerOf(tie)}`));
  return all
    .filter((tie) => tie.kind !== 'person' || !named.has(tie.subject))
    .map((tie) => {
      const owner =
        tie.kind === 'audit' && tie.state !== 'confirmed' ? tie.owners?.find((row) => owners.has(row)) : null;
      return owner ? { ...tie, state: 'confirmed' as const, by: `it names a repository of ${owner}` } : tie;
    })
    .sort((a, b) => (a.kind === b.kind ? (a.subject < b.subject ? -1 : 1) : a.kind < b.kind ? -1 : 1));
});

/** Text read at the other end is stronger evidence than the link. */
function merged(known: KnownTie, tie: Tie, key: string): KnownTie {
  const keys = known.keys.includes(key) ? known.keys : [...known.keys, key];
  const owners = [...new Set([...(known.owners ?? []), ...(tie.owners ?? [])])];
  const isBetter = isStronger(tie.state, known.state) || (tie.state === known.state && /^linked by/.test(known.by));
  const best = isBetter ? tie : known;
  return { ...best, keys, ...(owners.length > 0 ? { owners } : {}) };
}

function ownerOf(tie: Tie): string {
  return (tie.subject.split('/')[0] ?? '').toLowerCase();
}

/** The confirmed statements of a kind. */
export function confirmedTies(context: Context, kind: TieKind): readonly KnownTie[] {
  return tiesOf(context.input).filter((tie) => tie.kind === kind && tie.state === 'confirmed');
}

/** Statements of a kind that are not confirmed. */
export function openTies(context: Context, kind: TieKind): readonly KnownTie[] {
  return tiesOf(context.input).filter((tie) => tie.kind === kind && tie.state !== 'confirmed');
}

/** Consensus keys that support the ties, as the basis of a feature. */
export function basisOf(ties: readonly KnownTie[]): readonly string[] {
  return [...new Set(ties.flatMap((tie) => tie.keys))].sort();
}

/**
 * A feature from statements that both ends make, with the confidence of two parties; `credibility` of the site, 0-1.
 */
export function confirmedFeature(
  context: Context,
  id: string,
  raw: number | string,
  ties: readonly KnownTie[],
  method: string,
  credibility = 1,
): FeatureReading {
  const { confidence, independence } = context.methodology.preTge.evidence.confirmed;
  const parts = { independence, agreement: 1, freshness: 1 };
  const basis = basisOf(ties);
  return { id, status: 'observed', raw, confidence: confidence * credibility, parts, basis, method };
}

const READINGS = ['repo', 'readme', 'manifest', 'organisation'];
/** Outcomes caused by Assay or GitHub, not by the project. */
const NOT_SENT: ReadonlySet<RequestOutcome> = new Set([
  'rate_limited',
  'budget_spent',
  'circuit_open',
  'timeout',
  'deadline',
  'unreachable',
  'http_error',
  'cancelled',
  'disabled',
]);

/**
 * Ownership of the repository: `confirmed`; `linked`, when it was read and does not name the project; `unread`, when
 * GitHub could not be read; `none`, when there is none or the evidence predates the reading of ties.
 */
export function codeTie(context: Context): 'confirmed' | 'linked' | 'unread' | 'none' {
  const rows = tiesOf(context.input).filter((tie) => tie.kind === 'repository');
  if (rows.length === 0) return 'none';
  if (rows.some((tie) => tie.state === 'confirmed')) return 'confirmed';
  const source = context.input.sources.find((row) => row.name === sourceFor('code'));
  if (source === undefined || NOT_SENT.has(source.outcome)) return 'unread';
  const lost = source.failures.some((row) => READINGS.includes(row.endpoint) && NOT_SENT.has(row.outcome));
  return lost ? 'unread' : 'linked';
}

/** Text that explains why a linked repository does not count. */
export function unconfirmedCode(context: Context): string {
  const [first] = openTies(context, 'repository');
  return `linked by the project, not confirmed: ${first?.subject ?? 'the repository'}, ${first?.by ?? 'not read'}`;
}
