import {
  type BulkLists,
  collect,
  createJobRequester,
  type RecordedReply,
  type RequestEvent,
  readReply,
  type SourceBook,
} from '../evidence/index.ts';
import type { Endpoint, Facts, Params, Source } from '../sources/index.ts';
import type { Upstream } from '../upstream/index.ts';
import { factsOfPanel, type Panel, type PanelAsset, paramsOf } from './panel.ts';

/** One response of one endpoint about one asset of the panel. */
export interface Reading {
  readonly asset: PanelAsset;
  readonly source: Source;
  readonly endpoint: Endpoint;
  readonly answer: RecordedReply;
  /** Time as of which the reply is judged, RFC 3339. */
  readonly at: string;
}

export interface RequestTools {
  readonly book: SourceBook;
  readonly upstream: Upstream;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Time limit of the whole run, milliseconds. */
  readonly mostMs: number;
  readonly signal?: AbortSignal;
  /** Only the requests of a collection, without lists and searches. */
  readonly collectionOnly?: boolean;
  readonly onReply?: (source: string, endpoint: string, answer: RequestEvent) => void;
}

/** Lists that are never available, so that every endpoint is requested directly. */
const NO_LISTS: BulkLists = {
  get: async () => ({ failed: 'unsupported', detail: 'lists are requested one by one' }),
  start: () => undefined,
  close: () => undefined,
};

/**
 * Requests every endpoint of every enabled source about the assets of a panel, within the sources' budgets and at lower
 * priority than scores. Lists are fetched once. Never throws because of a source.
 */
export async function requestPanel(tools: RequestTools, panel: Panel): Promise<readonly Reading[]> {
  const listed = tools.collectionOnly === true ? [] : await requestLists(tools, panel);
  const each = await Promise.all(panel.assets.map((asset) => requestAsset(tools, asset)));
  return [...listed, ...each.flat()];
}

async function requestAsset(tools: RequestTools, asset: PanelAsset): Promise<readonly Reading[]> {
  const requester = requesterOf(tools);
  if (asset.requests !== undefined) {
    const readings = asset.requests.map(async (asked) => {
      const answer = await requester.requestRecorded(asked.source, asked.endpoint, paramsOf(asked), 'normal');
      const reading = readingOf(tools.book, asset, answer);
      return reading === null ? [] : [asked.at === undefined ? reading : asOf(reading, asked.at)];
    });
    return (await Promise.all(readings)).flat();
  }
  const facts = factsOfPanel(asset);
  const wanted = tools.collectionOnly === true ? [] : identifying(tools.book, facts);
  const searches = wanted.map(({ source, endpoint, params }) =>
    requester.requestRecorded(source.name, endpoint.name, params, 'normal').catch(() => null),
  );
  await Promise.all([collect(requester, tools.book, facts), ...searches]);
  return requester.replies().flatMap((answer) => readingOf(tools.book, asset, answer) ?? []);
}

/** The first page of every list; its readings belong to no asset of the panel. */
async function requestLists(tools: RequestTools, panel: Panel): Promise<readonly Reading[]> {
  const [first] = panel.assets;
  if (first === undefined || panel.assets.every((asset) => asset.requests !== undefined)) return [];
  const about: PanelAsset = { id: 'list', name: 'list', known: [] };
  const requester = requesterOf(tools);
  const lists = [...tools.book.values()]
    .filter((bound) => bound.enabled)
    .flatMap(({ source }) =>
      source.endpoints
        .filter((endpoint) => endpoint.role === 'bulk' || endpoint.finds?.by === 'list')
        .map((endpoint) =>
          requester.requestRecorded(source.name, endpoint.name, endpoint.list?.pages?.[0] ?? {}, 'normal'),
        ),
    );
  return (await Promise.all(lists)).flatMap((answer) => readingOf(tools.book, about, answer) ?? []);
}

function requesterOf({ book, upstream, now, mostMs, signal, onReply }: RequestTools) {
  const limit = AbortSignal.timeout(mostMs);
  return createJobRequester({
    book,
    upstream,
    bulk: NO_LISTS,
    now,
    ticks: () => performance.now(),
    deadlineAt: performance.now() + mostMs,
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    traceparent: null,
    isBackground: true,
    onReply: (event) => onReply?.(event.source, event.endpoint, event),
  });
}

/** The requests that identity would send to look for the asset. */
function identifying(book: SourceBook, facts: Facts) {
  return [...book.values()]
    .filter((bound) => bound.enabled)
    .flatMap(({ source }) =>
      source.endpoints.flatMap((endpoint) => {
        const params = endpoint.role === 'identify' ? searchOf(source, endpoint, facts) : null;
        return params === null ? [] : [{ source, endpoint, params }];
      }),
    );
}

function searchOf(source: Source, { finds }: Endpoint, facts: Facts): Params | null {
  const key = source.registry?.key ?? null;
  const id = key === null ? null : facts.keys[key];
  switch (finds?.by) {
    case 'name':
      return { query: facts.project };
    case 'symbol':
      return facts.symbol === null ? null : { symbol: facts.symbol };
    case 'text':
      return facts.symbol === null ? null : { query: facts.symbol };
    case 'id':
      return id === null ? null : { id };
    case 'address':
      return facts.chain === null || facts.address === null || facts.address === 'native'
        ? null
        : { chain: facts.chain.name, address: facts.address };
    default:
      return null;
  }
}

function readingOf(book: SourceBook, asset: PanelAsset, answer: RecordedReply): Reading | null {
  const source = book.get(answer.record.source)?.source;
  const endpoint = source?.endpoints.find((row) => row.name === answer.record.endpoint);
  if (source === undefined || endpoint === undefined) return null;
  return { asset, source, endpoint, answer, at: answer.record.fetchedAt };
}

/** A recorded reply is read as of its recording: ages and day counts refer to that time. */
function asOf(reading: Reading, at: string): Reading {
  const { source, endpoint, answer } = reading;
  const { record, body } = answer;
  if (body === null) return { ...reading, at };
  const meta = { status: record.status ?? 200, headers: record.headers, fetchedAt: at, url: '' };
  const read = readReply(source, endpoint, record.params as Params, body, meta, record.id);
  const { outcome, detail, reply, observations, learned } = read;
  return {
    ...reading,
    at,
    answer: { ...answer, record: { ...record, outcome, detail }, reply, observations, learned },
  };
}
