import {
  canonicalScope,
  counted,
  DAY_MS,
  isOverBudget,
  type Json,
  type Observation,
  QUANTITIES,
  REPLIED,
} from '../domain/index.ts';
import type { Methodology } from '../methodology/index.ts';
import { ABOUT_ANOTHER, type Source } from '../sources/index.ts';
import { disagreements } from './agreement.ts';
import { describeDifference, shownValue } from './differences.ts';
import { type Finding, finding, RULES, type Rules } from './finding.ts';
import { factsOfPanel, type KnownFact } from './panel.ts';
import type { Reading } from './request-panel.ts';

export interface EndpointVerdict {
  readonly source: string;
  readonly endpoint: string;
  /** `unproven`: it got no request, or has none of the assets. */
  readonly verdict: 'right' | 'suspect' | 'failed' | 'unproven';
  readonly replies: number;
  readonly observations: number;
  readonly findings: readonly Finding[];
  /** Why it is unproven; null otherwise. */
  readonly detail: string | null;
}

/** Everything that is wrong with the readings of a panel. Pure. */
export function findingsOf(
  readings: readonly Reading[],
  methodology: Methodology,
  rules: Rules = RULES,
): readonly Finding[] {
  return [
    ...readings.flatMap((reading) => [
      ...outcomeOf(reading),
      ...knownOf(reading, rules),
      ...rangeOf(reading, rules),
      ...staleOf(reading, methodology, rules),
      ...otherAssetOf(reading),
    ]),
    ...missingOf(readings),
    ...disagreements(readings, methodology, rules),
  ];
}

/**
 * One verdict per endpoint of the sources; endpoints without a request are `unproven`. `offReason`: why a source is
 * off; null when it is on.
 */
export function verdictsOf(
  sources: readonly Source[],
  readings: readonly Reading[],
  findings: readonly Finding[],
  offReason: (source: string) => string | null,
): readonly EndpointVerdict[] {
  return sources.flatMap((source) =>
    source.endpoints.map(({ name }): EndpointVerdict => {
      const mine = readings.filter((row) => row.source.name === source.name && row.endpoint.name === name);
      const wrong = findings.filter((row) => row.source === source.name && row.endpoint === name);
      const sum = {
        source: source.name,
        endpoint: name,
        replies: mine.filter((row) => row.answer.body !== null).length,
        observations: mine.reduce((count, row) => count + row.answer.observations.length, 0),
        findings: wrong,
      };
      if (wrong.some((row) => row.verdict === 'failed')) return { ...sum, verdict: 'failed', detail: null };
      if (wrong.length > 0) return { ...sum, verdict: 'suspect', detail: null };
      const detail = unprovenReason(mine, offReason(source.name));
      return { ...sum, verdict: detail === null ? 'right' : 'unproven', detail };
    }),
  );
}

function unprovenReason(mine: readonly Reading[], off: string | null): string | null {
  if (off !== null) return off;
  if (mine.length === 0) return 'no asset of the panel leads to it';
  if (mine.some((row) => row.answer.record.outcome === 'ok')) return null;
  const [first] = mine;
  return `${first?.answer.record.outcome}${first?.answer.record.detail ? `: ${first.answer.record.detail}` : ', for every asset of the panel'}`;
}

const NO_REPLY = new Set([
  'timeout',
  'unreachable',
  'deadline',
  'circuit_open',
  'http_error',
  'truncated',
  'too_large',
  'refused_address',
]);

function outcomeOf(reading: Reading): readonly Finding[] {
  const { record, body } = reading.answer;
  const { outcome, detail } = record;
  if (
    REPLIED.has(outcome) ||
    isOverBudget(record.source, outcome) ||
    outcome === 'unsupported' ||
    outcome === 'disabled'
  )
    return [];
  const isPage = body !== null && /^\s*<(!doctype|html|head|body)/i.test(new TextDecoder().decode(body.slice(0, 200)));
  const isText = reading.endpoint.format !== undefined && reading.endpoint.format !== 'json';
  if (outcome === 'wrong_content_type' || (isPage && !isText))
    return [
      finding(
        reading,
        'schema',
        'failed',
        null,
        `a page or another kind of file instead of JSON${detail ? ` (${detail})` : ''}`,
      ),
    ];
  if (NO_REPLY.has(outcome))
    return [finding(reading, 'unreachable', 'failed', null, `${outcome}${detail ? `: ${detail}` : ''}`)];
  return [finding(reading, detail === ABOUT_ANOTHER ? 'other_asset' : 'schema', 'failed', null, detail ?? outcome)];
}

function knownOf(reading: Reading, rules: Rules): readonly Finding[] {
  const { asset, source, endpoint, answer } = reading;
  if (!REPLIED.has(answer.record.outcome)) return [];
  return asset.known.flatMap((fact) => {
    if (fact.sources !== undefined && !fact.sources.includes(source.name)) return [];
    if (fact.endpoint !== undefined && fact.endpoint !== `${source.name}.${endpoint.name}`) return [];
    const scope = canonicalScope(fact.scope ?? 'asset');
    const said = answer.observations.filter(
      (row) => row.quantity === fact.quantity && canonicalScope(row.scope) === scope,
    );
    if (said.length === 0 && fact.absent !== true && fact.endpoint !== undefined)
      return [
        finding(
          reading,
          'missing',
          'failed',
          fact.quantity,
          `${fact.quantity} is not stated, and ${wanted(fact)} is known`,
        ),
      ];
    return said.flatMap((row) => {
      const words = contradiction(fact, row.value, rules.known.relative);
      return words === null
        ? []
        : [finding(reading, 'misstated', 'failed', fact.quantity, `${fact.quantity} is ${words}`)];
    });
  });
}

function wanted({ value, min, max }: KnownFact): string {
  if (value !== undefined) return shownValue(value as Json);
  return [min === undefined ? null : `at least ${min}`, max === undefined ? null : `at most ${max}`]
    .filter((part) => part !== null)
    .join(' and ');
}

function contradiction(fact: KnownFact, got: Json, relative: number): string | null {
  if (fact.absent === true) return `${shownValue(got)}, and nothing may be stated`;
  if (fact.value !== undefined)
    return same(fact.value as Json, got, relative) ? null : describeDifference(fact.value as Json, got);
  const at = comparable(got);
  const [low, high] = [fact.min, fact.max].map((bound) => (bound === undefined ? null : comparable(bound)));
  if (at === null) return `${shownValue(got)}, not ${wanted(fact)}`;
  const edge = low != null && at < low ? fact.min : high != null && at > high ? fact.max : undefined;
  return edge === undefined ? null : `${describeDifference(edge as Json, got)} (known: ${wanted(fact)})`;
}

/** Numbers, and dates as milliseconds. */
function comparable(value: Json): number | null {
  if (typeof value === 'number') return value;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function same(want: Json, got: Json, relative: number): boolean {
  if (typeof want === 'number' && typeof got === 'number')
    return want === got || Math.abs(want - got) <= relative * Math.max(Math.abs(want), Math.abs(got));
  if (Array.isArray(want) && Array.isArray(got))
    return want.length === got.length && want.every((value, index) => same(value, got[index] ?? null, relative));
  if (typeof want === 'object' && typeof got === 'object' && want !== null && got !== null) {
    const right = got as Readonly<Record<string, Json>>;
    const left = Object.entries(want);
    return (
      left.length === Object.keys(right).length &&
      left.every(([name, value]) => same(value, right[name] ?? null, relative))
    );
  }
  return want === got;
}

/**
 * Quantities that an endpoint stated about an asset before, but in none of today's replies. Endpoints without a reply
 * are left out.
 */
function missingOf(readings: readonly Reading[]): readonly Finding[] {
  const groups = Map.groupBy(
    readings.filter((row) => row.asset.states !== undefined),
    ({ asset, source, endpoint }) => `${asset.id} ${source.name}.${endpoint.name}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const expected = first?.asset.states?.[`${first.source.name}.${first.endpoint.name}`];
    if (first === undefined || expected === undefined) return [];
    if (!group.every((row) => REPLIED.has(row.answer.record.outcome))) return [];
    const said = new Set<string>(group.flatMap((row) => row.answer.observations.map(({ quantity }) => quantity)));
    const gone = expected.filter((quantity) => !said.has(quantity));
    if (gone.length === 0) return [];
    const { outcome } = first.answer.record;
    const how = outcome === 'ok' ? 'a field may be renamed, or an enumeration changed' : `it says ${outcome}`;
    const text = `no longer states ${gone.join(', ')}: ${how}`;
    return [finding(first, 'missing', 'failed', gone[0] ?? null, text)];
  });
}

function rangeOf(reading: Reading, rules: Rules): readonly Finding[] {
  return reading.answer.observations.flatMap((row) => {
    const words = impossible(row, reading.answer.record.fetchedAt, rules);
    return words === null
      ? []
      : [finding(reading, 'range', 'failed', row.quantity, `${row.quantity} is ${shownValue(row.value)}: ${words}`)];
  });
}

function impossible({ quantity, value }: Observation, fetchedAt: string, rules: Rules): string | null {
  const { kind, unit } = QUANTITIES[quantity];
  if (kind === 'date' && typeof value === 'string') {
    const { earliest } = rules.dates;
    if (Date.parse(value) < Date.parse(earliest.quantities[quantity] ?? earliest.others))
      return 'before there were any';
    if (Date.parse(value) > Date.parse(fetchedAt) + DAY_MS && !rules.dates.mayBeAhead.includes(quantity))
      return 'in the future';
  }
  if (typeof value !== 'number') return null;
  if ((kind === 'log' || kind === 'exact') && value < 0) return 'the sign cannot be';
  if (kind === 'share' && (value < 0 || value > 1)) return `a ${unit} is between 0 and 1`;
  return null;
}

function staleOf(reading: Reading, methodology: Methodology, rules: Rules): readonly Finding[] {
  const { classes, classOf } = methodology.consensus;
  const oldest = reading.answer.observations
    .map((row) => ({
      row,
      overMs:
        Date.parse(reading.at) -
        Date.parse(row.observedAt) -
        rules.stale.multiple * 1000 * (classes[classOf[row.quantity]]?.maxAgeSeconds ?? Number.POSITIVE_INFINITY),
    }))
    .filter(({ overMs }) => overMs > 0)
    .sort((a, b) => b.overMs - a.overMs)[0];
  if (oldest === undefined) return [];
  const hours = Math.round((Date.parse(reading.at) - Date.parse(oldest.row.observedAt)) / 3_600_000);
  return [
    finding(
      reading,
      'stale',
      'suspect',
      oldest.row.quantity,
      `${oldest.row.quantity} is of ${oldest.row.observedAt}, ${counted(hours, 'hour')} ago`,
    ),
  ];
}

function otherAssetOf(reading: Reading): readonly Finding[] {
  const { asset, endpoint, answer } = reading;
  if (answer.record.outcome !== 'ok' || endpoint.records === undefined) return [];
  if (endpoint.finds !== undefined && endpoint.finds.by !== 'id' && endpoint.finds.by !== 'address') return [];
  const records = endpoint.records(answer.reply as never, answer.record.params as never);
  const [only] = records;
  if (records.length !== 1 || only === undefined) return [];
  const { chain, address } = factsOfPanel(asset);
  const own = ownAddresses(reading);
  const there = (only.addresses ?? []).filter((row) => row.startsWith(`${chain?.name}:`));
  if (address !== 'native' && there.length > 0 && !there.some((row) => own.includes(row)))
    return [finding(reading, 'other_asset', 'failed', null, `the reply is about ${there[0]}, not ${own[0]}`)];
  if (only.symbol != null && asset.symbol !== undefined && only.symbol.toLowerCase() !== asset.symbol.toLowerCase())
    return [
      finding(
        reading,
        'other_asset',
        'suspect',
        null,
        `the reply is about ${shownValue(only.symbol)}, not ${asset.symbol}`,
      ),
    ];
  return [];
}

function ownAddresses({ asset }: Reading): readonly string[] {
  return factsOfPanel(asset).keys.deployments.map((row) => `${row.chain}:${row.address}`);
}
