import type { Json } from '../domain/json.ts';
import type { Endpoint, Facts, Params } from '../sources/source.ts';
import type { JobAsker } from './asker.ts';
import type { BoundSource, SourceBook } from './book.ts';

/** Most questions one job may ask; a hostile reply cannot make us ask for ever. */
const MOST_QUESTIONS = 160;
const MOST_PER_ENDPOINT = 12;

/**
 * Asks every source that is on, side by side, critical questions first. An endpoint is planned again whenever another one
 * has learned something, so the longest chain of dependent questions is the only thing that is waited for. Returns the
 * facts as they stand at the end; ends by itself when nothing is left to ask, or when the asker's signal fires.
 */
export async function collect(asker: JobAsker, book: SourceBook, start: Facts): Promise<Facts> {
  const plans = planned(book);
  const asked = new Set<string>();
  const perEndpoint = new Map<Endpoint, number>();
  const learned = new Map<string, Readonly<Record<string, Json>>>();
  let facts = start;
  let underWay = 0;
  await new Promise<void>((resolve) => {
    const settle = () => {
      if (underWay === 0) resolve();
    };
    const launch = () => {
      if (!asker.signal.aborted) {
        for (const { bound, endpoint } of plans) {
          for (const params of wishes(endpoint, facts)) {
            const key = `${bound.source.name}/${endpoint.name}/${JSON.stringify(params)}`;
            const count = perEndpoint.get(endpoint) ?? 0;
            if (asked.has(key) || asked.size >= MOST_QUESTIONS || count >= MOST_PER_ENDPOINT) continue;
            asked.add(key);
            perEndpoint.set(endpoint, count + 1);
            underWay += 1;
            void ask(bound, endpoint, params, key);
          }
        }
      }
      settle();
    };
    const ask = async (bound: BoundSource, endpoint: Endpoint, params: Params, key: string) => {
      const news = await learnedFrom(asker, bound, endpoint, params);
      underWay -= 1;
      if (Object.keys(news).length > 0) {
        learned.set(key, news);
        facts = { ...start, learned: merged(start.learned, learned) };
        launch();
      }
      settle();
    };
    launch();
  });
  return facts;
}

/** What a question taught. One that cannot even be asked, for what another source said, costs its own answer and nobody else's. */
async function learnedFrom(
  asker: JobAsker,
  bound: BoundSource,
  endpoint: Endpoint,
  params: Params,
): Promise<Readonly<Record<string, Json>>> {
  try {
    return (await asker.answer(bound.source.name, endpoint.name, params)).learned;
  } catch {
    return {};
  }
}

function planned(book: SourceBook): readonly { bound: BoundSource; endpoint: Endpoint }[] {
  const all = [...book.values()]
    .filter((bound) => bound.enabled)
    .flatMap((bound) =>
      bound.source.endpoints.filter((endpoint) => endpoint.role === 'observe').map((endpoint) => ({ bound, endpoint })),
    );
  return [...all.filter((row) => row.endpoint.critical), ...all.filter((row) => !row.endpoint.critical)];
}

function wishes(endpoint: Endpoint, facts: Facts): readonly Params[] {
  try {
    return endpoint.plan(facts);
  } catch {
    // A plan that trips over what a source said is a bug of that file; the other sources go on.
    return [];
  }
}

/** What was learned, merged in a stable order, so that the order of arrival decides nothing. */
function merged(
  start: Readonly<Record<string, Json>>,
  learned: ReadonlyMap<string, Readonly<Record<string, Json>>>,
): Record<string, Json> {
  const keys = [...learned.keys()].sort();
  return Object.assign({}, start, ...keys.map((key) => learned.get(key)));
}
