import type { CanonicalRecord, Driver, PendingWebsite, RecordChange, Sourced } from '../domain/index.ts';
import { tellerOf } from '../domain/index.ts';
import type { PublicationRules } from '../methodology/index.ts';
import { daysBetween } from './facts.ts';

export interface EvolvedRecord {
  readonly record: CanonicalRecord;
  readonly changes: readonly RecordChange[];
  /** A website that is named and has yet to be confirmed; null: none. */
  readonly pendingWebsite: PendingWebsite | null;
}

/**
 * The canonical record after one more collection. What no source said this time keeps its value, unchanged fields keep the day they
 * were first seen, and another website takes effect when enough sources name it, or one names it again after the time of
 * `publication.record`: until then the one before stands. Pure.
 */
export function evolveRecord(
  previous: CanonicalRecord,
  pending: PendingWebsite | null,
  found: CanonicalRecord,
  asOf: string,
  rules: PublicationRules['record'],
): EvolvedRecord {
  const name = next(previous.name, found.name, asOf);
  const symbol = next(previous.symbol, found.symbol, asOf);
  const { website, pendingWebsite } = nextWebsite(previous.website, pending, found.website, asOf, rules);
  const categories = nextList(previous.categories, found.categories, asOf);
  const changes = (
    [
      ['name', previous.name.value, name],
      ['symbol', previous.symbol.value, symbol],
      ['website', previous.website.value, website],
    ] as const
  ).flatMap(([field, from, now]): readonly RecordChange[] =>
    from === now.value ? [] : [{ field, from, to: now.value, sources: now.sources }],
  );
  const links = nextList(previous.links, found.links, asOf);
  return { record: { ...found, name, symbol, website, categories, links }, changes, pendingWebsite };
}

/** Changes as reasons in "what moved it": what they moved is in the factors' points. */
export function recordDrivers(changes: readonly RecordChange[]): readonly Driver[] {
  return changes.map(({ field, from, to, sources }) => ({
    code: 'RECORD',
    name: field,
    points: 0,
    detail: `${field} from ${from ?? 'none'} to ${to ?? 'none'}${sources.length === 0 ? '' : ` (${sources.join(', ')})`}`,
  }));
}

function next<Value extends string | null>(before: Sourced<Value>, now: Sourced<Value>, asOf: string): Sourced<Value> {
  if (now.value === null || now.sources.length === 0) return before;
  return { ...now, since: now.value === before.value ? before.since : asOf };
}

/** A list that fewer of the same sources gave is the old one, of which a part was not read. */
function nextList(
  before: Sourced<readonly string[]>,
  now: Sourced<readonly string[]>,
  asOf: string,
): Sourced<readonly string[]> {
  const isPart =
    now.sources.length < before.sources.length && now.sources.every((name) => before.sources.includes(name));
  if (now.value.length === 0 || isPart) return before;
  const same = now.value.length === before.value.length && now.value.every((one, index) => one === before.value[index]);
  return { ...now, since: same ? before.since : asOf };
}

function nextWebsite(
  before: Sourced<string | null>,
  pending: PendingWebsite | null,
  now: Sourced<string | null>,
  asOf: string,
  rules: PublicationRules['record'],
): { readonly website: Sourced<string | null>; readonly pendingWebsite: PendingWebsite | null } {
  if (now.value === null) return { website: before, pendingWebsite: pending };
  if (now.value === before.value || before.value === null)
    return { website: next(before, now, asOf), pendingWebsite: null };
  // The site itself is no witness of being the project's.
  const witnesses = now.sources.filter((name) => name !== tellerOf('site'));
  const since = pending?.value === now.value ? pending.since : asOf;
  const isConfirmed = witnesses.length >= rules.websiteSources || daysBetween(since, asOf) >= rules.websiteDays;
  return isConfirmed
    ? { website: { ...now, since: asOf }, pendingWebsite: null }
    : { website: before, pendingWebsite: { value: now.value, since, sources: now.sources } };
}
