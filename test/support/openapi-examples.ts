import type { Exchange } from './openapi-scenario.ts';

/** An exchange as the document shows it. */
export interface Example {
  readonly request?: unknown;
  readonly status: number;
  readonly reply?: unknown;
  readonly shortened?: true;
}

/** Replies longer than this are cut, by leaving entries out of their lists. */
const LONG = 2_500;
const MOST_EVENTS = 5;

/** What the document shows of an exchange: no secret of it, and of long lists the first entries. */
export function exampleOf({ request, status, reply }: Exchange): Example {
  const open = withoutSecrets(reply);
  const cut = typeof open === 'string' ? shortText(open) : shortLists(open);
  return {
    ...(request === undefined ? {} : { request }),
    status,
    ...(cut === undefined ? {} : { reply: cut }),
    ...(JSON.stringify(cut) === JSON.stringify(open) ? {} : { shortened: true }),
  };
}

/** Secrets of a service that is gone by now: shown, they would look like ones that were lost. */
function withoutSecrets(value: unknown): unknown {
  return mapMembers(value, (name, member) =>
    name === 'secret' && typeof member === 'string' ? member.replace(/^(ak_live_|whsec_).*$/, '$1...') : member,
  );
}

function mapMembers(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapMembers(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapMembers(change(name, member), change)]),
  );
}

function shortText(text: string): string {
  const events = text.split('\n\n');
  return events.length > MOST_EVENTS ? `${events.slice(0, MOST_EVENTS).join('\n\n')}\n\n` : text;
}

function shortLists(value: unknown): unknown {
  for (const most of [Number.POSITIVE_INFINITY, 2]) {
    const cut = firstEntries(value, most);
    if (JSON.stringify(cut ?? null).length <= LONG) return cut;
  }
  return firstEntries(value, 1);
}

function firstEntries(value: unknown, most: number): unknown {
  // Pairs are values, such as the two ends of an interval.
  if (Array.isArray(value)) {
    const isPair = value.length <= 3 && value.every((one) => typeof one === 'number');
    return (isPair ? value : value.slice(0, most)).map((one) => firstEntries(one, most));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, firstEntries(member, most)]));
}

/** What these show depends on the day, the load and the order of chance: only their form is compared. */
const OF_THE_MACHINE = new Set([
  'addCosignature',
  'cancelJob',
  'changeWebhook',
  'getAttestation',
  'getCheckpoint',
  'getConsistencyProof',
  'getReceipt',
  'getStatement',
  'getStatus',
  'getUsage',
  'getWebhook',
  'listCheckpoints',
  'listDeliveries',
  'listKeys',
  'listLogEntries',
  'listRatingProofs',
  'listRevocations',
  'listSigningKeys',
  'replayDelivery',
  'rotateWebhookSecret',
  'streamJobEvents',
]);
const MEASURED = new Set([
  'bytes',
  'execution_time_seconds',
  'executionSeconds',
  'latency_ms',
  'milliseconds',
  'prefix',
  'x',
]);
/** Ids, hashes and signatures: chance makes them, their form stays. */
const BY_CHANCE =
  /\b(acc|apl|dsp|key|msg|mute|wh)_[0-9A-Za-z]{12,}|(?<=_\d{13}_)[0-9a-z]{8}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b|[\w+/]{86}==|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** The days of the examples' world begin at noon; other times are the machine's. */
const OF_THE_WORLD = /T(12|00):00:00(\.000)?Z$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Places where an example is not what the service answers now. */
export function differences(id: string, kept: unknown, now: unknown): string[] {
  const isLoose = OF_THE_MACHINE.has(id);

  function compare(shown: unknown, actual: unknown, place: string, name: string): string[] {
    const differ = [`${place}: ${JSON.stringify(shown)?.slice(0, 80)} is now ${JSON.stringify(actual)?.slice(0, 80)}`];
    if (Array.isArray(shown) && Array.isArray(actual)) {
      const entries = shown.slice(0, isLoose ? actual.length : shown.length);
      const longer = !isLoose && shown.length !== actual.length ? differ : [];
      return [...longer, ...entries.flatMap((one, index) => compare(one, actual[index], `${place}[${index}]`, name))];
    }
    if (isObject(shown) && isObject(actual)) {
      const names = [...new Set([...Object.keys(shown), ...Object.keys(actual)])];
      return names.flatMap((member) => compare(shown[member], actual[member], `${place}.${member}`, member));
    }
    if (isLoose && (shown === null || actual === null)) return [];
    if (typeof shown !== typeof actual) return differ;
    if (isLoose || MEASURED.has(name)) return [];
    if (typeof shown !== 'string' || typeof actual !== 'string') return shown === actual ? [] : differ;
    const isMachineTime = [shown, actual].every((one) => TIME.test(one)) && ![shown, actual].every(isOfTheWorld);
    return isMachineTime || withoutChance(shown) === withoutChance(actual) ? [] : differ;
  }
  return compare(kept, now, id, '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfTheWorld(time: string): boolean {
  return OF_THE_WORLD.test(time);
}

function withoutChance(text: string): string {
  return text.replace(BY_CHANCE, '*');
}
