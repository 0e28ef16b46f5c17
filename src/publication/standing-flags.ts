import type { ConsensusSet, Flag, PublicationState, PublishedFlag, Severity } from '../domain/index.ts';
import { DAY_MS } from '../domain/index.ts';
import type { FlagDefinition, Methodology } from '../methodology/index.ts';
import { isOutdone } from '../methodology/index.ts';
import { daysBetween } from './days.ts';

type Remembered = PublicationState['last']['flags'][number];

/** What happened is not undone by how things are now: these wait their days whatever is known. */
const EVENTS: ReadonlySet<string> = new Set(['LIQUIDITY_DRAIN', 'SUPPLY_UNEXPECTED_MINT', 'RUG_EXECUTED']);
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

/**
 * The flags that stand: those of this moment, and those of before whose condition has not been seen false for long enough
 * (methodology 6). A critical flag goes at once when the values it rested on are known well enough and do not bear it out. While
 * they are unknown the time does not count, until nobody has seen the flag raised for as long as memory reaches. In a correction,
 * what is seen not to hold goes at once, but for what happened.
 */
export function standingFlags(
  flags: readonly Flag[],
  before: Pick<PublicationState, 'asOf' | 'last'> | null,
  consensus: ConsensusSet,
  asOf: string,
  methodology: Methodology,
  corrects = false,
): { readonly published: readonly PublishedFlag[]; readonly remembered: readonly Remembered[] } {
  const raised = flags.map((flag) => {
    const since = before?.last.flags.find((one) => one.code === flag.code)?.since ?? asOf;
    const { code, severity, title, detail } = flag;
    return {
      published: { code, severity, title, detail, since },
      remembered: { code, severity, since, seenAt: asOf, basis: flag.evidence },
    };
  });
  const held = (before?.last.flags ?? []).flatMap((one) => {
    const definition = methodology.flags.find((row) => row.code === one.code);
    const isRaised = flags.some((flag) => flag.code === one.code);
    if (before === null || definition === undefined || isRaised || isOutdone(one.code, flags)) return [];
    return hold(one, definition, before.asOf, consensus, asOf, methodology, corrects);
  });
  const all = [...raised, ...held].sort(
    (a, b) =>
      SEVERITIES.indexOf(a.published.severity) - SEVERITIES.indexOf(b.published.severity) ||
      numberOf(a.published.code, methodology) - numberOf(b.published.code, methodology),
  );
  return { published: all.map((row) => row.published), remembered: all.map((row) => row.remembered) };
}

function hold(
  one: Remembered,
  { title, clearDays }: FlagDefinition,
  lookedAt: string,
  consensus: ConsensusSet,
  asOf: string,
  methodology: Methodology,
  corrects: boolean,
) {
  const { code, severity, since, basis = [], seenAt = lookedAt } = one;
  const { raise, critical, ageing } = methodology.flagConfidence;
  const isKnown = basis.every((key) => isSettled(consensus, key, raise - ageing));
  const isProven = basis.length > 0 && basis.every((key) => isSettled(consensus, key, critical - ageing));
  const isDisproved = !EVENTS.has(code) && (corrects ? isKnown : severity === 'critical' && isProven);
  const falseSince = isKnown ? (one.falseSince ?? asOf) : later(one.falseSince, daysBetween(lookedAt, asOf));
  const isOld = daysBetween(seenAt, asOf) >= methodology.publication.replacement.memoryDays;
  const isOver = falseSince !== undefined && isKnown && daysBetween(falseSince, asOf) >= clearDays;
  if (clearDays === 0 || isDisproved || isOver || isOld) return [];
  const detail =
    falseSince === undefined
      ? `raised until ${dayOf(seenAt)}; what it rests on is not known now`
      : `not the case any more since ${dayOf(falseSince)}; cleared when that has held for ${clearDays} days`;
  return [
    {
      published: { code, severity, title, detail, since },
      remembered: { code, severity, since, seenAt, basis, ...(falseSince === undefined ? {} : { falseSince }) },
    },
  ];
}

/** The count stands still while nobody can look: its beginning moves along. */
function later(at: string | undefined, days: number): string | undefined {
  return at === undefined ? undefined : new Date(Date.parse(at) + days * DAY_MS).toISOString();
}

function isSettled(consensus: ConsensusSet, key: string, least: number): boolean {
  const row = consensus[key];
  return row !== undefined && row.value !== null && row.status !== 'disputed' && row.confidence >= least;
}

function numberOf(code: string, methodology: Methodology): number {
  return methodology.flags.find((row) => row.code === code)?.number ?? Number.POSITIVE_INFINITY;
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}
