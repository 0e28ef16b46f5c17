import type { Json } from '../domain/index.ts';
import type { Endpoint, Facts, Params } from '../sources/index.ts';
import type { RequestPriority } from '../upstream/index.ts';
import type { BoundSource, SourceBook } from './book.ts';
import type { RecordedReply } from './request-once.ts';
import type { JobRequester } from './requester.ts';

/** Request limit of one job, so that a hostile reply cannot cause endless requests. */
const MOST_QUESTIONS = 160;
const MOST_PER_ENDPOINT = 12;

/**
 * Sends requests to every enabled source in parallel, critical requests first. Rows of shared lists are read before
 * anything is requested, so that a source gets no single requests for data in its list. An endpoint is planned again
 * whenever a fact that its plan reads was learned, so a job waits only for the longest chain of dependent requests.
 * Returns the final facts, when nothing is left to request or the requester's signal fires.
 */
export async function collect(requester: JobRequester, book: SourceBook, start: Facts): Promise<Facts> {
  const read = new Set<string>();
  const rows = await rowsOf(requester, book, start, read);
  const plans = endpointsOf(book, 'observe');
  const asked = new Set<string>();
  const perEndpoint = new Map<Endpoint, number>();
  const learned = new Map<string, Readonly<Record<string, Json>>>();
  for (const { answer, key } of rows) if (Object.keys(answer.learned).length > 0) learned.set(key, answer.learned);
  let facts: Facts = { ...start, learned: merged(start.learned, learned) };
  const planner = createPlanner(plans);
  let underWay = 0;
  await new Promise<void>((resolve) => {
    const settle = () => {
      if (underWay === 0) resolve();
    };
    const launch = () => {
      if (!requester.signal.aborted) {
        for (const { bound, endpoint } of inOrder(planner.due(facts.learned), facts)) {
          for (const params of planner.plan(endpoint, facts)) {
            const key = `${bound.source.name}/${endpoint.name}/${JSON.stringify(params)}`;
            const count = perEndpoint.get(endpoint) ?? 0;
            if (asked.has(key) || asked.size >= MOST_QUESTIONS || count >= MOST_PER_ENDPOINT) continue;
            asked.add(key);
            perEndpoint.set(endpoint, count + 1);
            underWay += 1;
            void ask(bound, endpoint, params, key, isCritical(endpoint, facts) ? 'critical' : 'normal');
          }
        }
      }
      settle();
    };
    const ask = async (
      bound: BoundSource,
      endpoint: Endpoint,
      params: Params,
      key: string,
      priority: RequestPriority,
    ) => {
      const found = await learnedFrom(requester, bound, endpoint, params, priority);
      underWay -= 1;
      if (Object.keys(found).length > 0) {
        learned.set(key, found);
        facts = { ...start, learned: merged(start.learned, learned) };
        launch();
      }
      settle();
    };
    launch();
  });
  // Learned facts can identify further rows, such as the contract's owner in a list of persons. These rows are
  // evidence, but no facts are learned from them.
  keepRows(requester, [...rows, ...(await rowsOf(requester, book, facts, read))]);
  return facts;
}

interface Row {
  readonly endpoint: Endpoint;
  readonly key: string;
  readonly answer: RecordedReply;
}

/** Rows of shared lists about the asset that are not in `read`; their keys are added to `read`. */
async function rowsOf(
  requester: JobRequester,
  book: SourceBook,
  facts: Facts,
  read: Set<string>,
): Promise<readonly Row[]> {
  const wanted = endpointsOf(book, 'bulk').flatMap(({ bound, endpoint }) =>
    plannedBy(endpoint, facts)
      .slice(0, MOST_PER_ENDPOINT)
      .map((params) => ({
        bound,
        endpoint,
        params,
        key: `${bound.source.name}/${endpoint.name}/${JSON.stringify(params)}`,
      })),
  );
  const unread = wanted.filter(({ key }) => !read.has(key));
  for (const { key } of unread) read.add(key);
  const rows = await Promise.all(
    unread.map(async ({ bound, endpoint, params, key }): Promise<readonly Row[]> => {
      const answer = await requester.row(bound.source.name, endpoint.name, params).catch(() => null);
      return answer === null ? [] : [{ endpoint, key, answer }];
    }),
  );
  return rows.flat();
}

/**
 * Keeps a row as evidence unless the same source also replied about this asset at an endpoint that states the same data
 * and more.
 */
function keepRows(requester: JobRequester, rows: readonly Row[]): void {
  const answers = requester.replies();
  for (const { endpoint, answer } of rows) {
    const said = answers.some(
      ({ record }) =>
        record.source === answer.record.source &&
        record.outcome === 'ok' &&
        endpoint.list?.insteadOf?.includes(record.endpoint) === true,
    );
    if (!said) requester.keep(answer);
  }
}

/** Facts learned from a request. An exception costs only the reply of this source. */
async function learnedFrom(
  requester: JobRequester,
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
  priority: RequestPriority,
): Promise<Readonly<Record<string, Json>>> {
  try {
    return (await requester.requestRecorded(bound.source.name, endpoint.name, params, priority)).learned;
  } catch {
    return {};
  }
}

interface Planned {
  readonly bound: BoundSource;
  readonly endpoint: Endpoint;
}

function endpointsOf(book: SourceBook, role: Endpoint['role']): readonly Planned[] {
  return [...book.values()]
    .filter((bound) => bound.enabled)
    .flatMap((bound) =>
      bound.source.endpoints.filter((endpoint) => endpoint.role === role).map((endpoint) => ({ bound, endpoint })),
    );
}

function isCritical({ critical }: Endpoint, facts: Facts): boolean {
  return typeof critical === 'function' ? critical(facts) : critical;
}

function inOrder(plans: readonly Planned[], facts: Facts): readonly Planned[] {
  return [
    ...plans.filter((row) => isCritical(row.endpoint, facts)),
    ...plans.filter((row) => !isCritical(row.endpoint, facts)),
  ];
}

type Learned = Facts['learned'];

/** Marks a plan that has read all names of the learned facts. */
const ALL = Symbol('all');

/**
 * Plans are pure: a plan that has read none of the newly learned facts would give the same requests, so only the others
 * run again. A job learns facts many times, and most plans read only one or two names.
 */
function createPlanner(plans: readonly Planned[]) {
  const readBy = new Map<Endpoint, Set<string | symbol>>();
  let before: Learned = {};
  return {
    /** Endpoints whose plan may give other requests than at its last run. */
    due(learned: Learned): readonly Planned[] {
      const changed = Object.keys(learned).filter((name) => learned[name] !== before[name]);
      before = learned;
      return plans.filter(({ endpoint }) => {
        const read = readBy.get(endpoint);
        return read === undefined || (changed.length > 0 && read.has(ALL)) || changed.some((name) => read.has(name));
      });
    },
    plan(endpoint: Endpoint, facts: Facts): readonly Params[] {
      const read = new Set<string | symbol>();
      readBy.set(endpoint, read);
      return plannedBy(endpoint, { ...facts, learned: watched(facts.learned, read) });
    },
  };
}

/** The same facts; records in `read` each name that is looked up, and `ALL` when the names are listed. */
function watched(learned: Learned, read: Set<string | symbol>): Learned {
  return new Proxy(learned, {
    get(target, name) {
      read.add(name);
      return Reflect.get(target, name);
    },
    has(target, name) {
      read.add(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      read.add(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    ownKeys(target) {
      read.add(ALL);
      return Reflect.ownKeys(target);
    },
  });
}

function plannedBy(endpoint: Endpoint, facts: Facts): readonly Params[] {
  try {
    return endpoint.plan(facts);
  } catch {
    // A plan that throws on data of a source is a bug in that source's file; the other sources continue.
    return [];
  }
}

/** Learned facts, merged in a stable order, so that the order of arrival does not matter. */
function merged(
  start: Readonly<Record<string, Json>>,
  learned: ReadonlyMap<string, Readonly<Record<string, Json>>>,
): Record<string, Json> {
  const keys = [...learned.keys()].sort();
  return Object.assign({}, start, ...keys.map((key) => learned.get(key)));
}
