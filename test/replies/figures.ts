import type { Source } from '../../src/sources/source.ts';
import figures from './figures.json' with { type: 'json' };
import type { Result } from './run.ts';

/** What recorded replies said of one endpoint: replies tried, observations right and wrong. */
interface Figure {
  readonly replies: number;
  readonly right: number;
  readonly wrong: number;
}

/** Figures of the newest run over the reference data, which are not part of the repository. */
export const FIGURES: Readonly<Record<string, Figure>> = figures;

/** Figures by `<source>.<endpoint>` over several folders of recordings; endpoints without a reading are left out. */
export function figuresOf(sources: readonly Source[], results: readonly Result[]): Record<string, Figure> {
  const names = sources.flatMap(({ name, endpoints }) => endpoints.map((row) => `${name}.${row.name}`));
  return Object.fromEntries(
    names.sort().flatMap((name) => {
      const rows = results.flatMap(({ endpoints }) => endpoints[name] ?? []);
      const sum = (of: 'replies' | 'readings' | 'wrong') => rows.reduce((total, row) => total + row[of], 0);
      const [readings, wrong] = [sum('readings'), sum('wrong')];
      return readings === 0 ? [] : [[name, { replies: sum('replies'), right: readings - wrong, wrong }]];
    }),
  );
}

/** The table of docs/sources.md: endpoints that real replies were held against, and by name those that none was. */
export function provenTable(sources: readonly Source[]): string {
  const asked: readonly string[] = sources.flatMap((source) =>
    source.endpoints.flatMap((row) =>
      row.made === undefined && row.list?.standsInFor === undefined ? [`${source.name}.${row.name}`] : [],
    ),
  );
  // A list whose rows are replies of another endpoint is proven with that one, and the other way round.
  const heldBy = new Map<string, string>(
    sources.flatMap(({ name, endpoints }) =>
      endpoints.flatMap(({ name: list, list: terms }) =>
        terms?.standsInFor === undefined
          ? []
          : [[`${name}.${terms.standsInFor}`, `${name}.${list}`] as [string, string]],
      ),
    ),
  );
  const proven = new Set<string>(
    [...heldBy]
      .flatMap(([one, list]) => (FIGURES[one] || FIGURES[list] ? [one, list] : []))
      .concat(Object.keys(FIGURES)),
  );
  const rows = Object.entries(FIGURES).map(
    ([name, { replies, right, wrong }]) => `| \`${name}\` | ${replies} | ${right} | ${wrong} |`,
  );
  const all = Object.values(FIGURES);
  const total = (of: keyof Figure) => all.reduce((sum, row) => sum + row[of], 0);
  const unproven = Map.groupBy(
    asked.filter((name) => !proven.has(name)),
    (name) => name.split('.')[0] ?? '',
  );
  return [
    '## Endpoints checked against real replies',
    '',
    `Recorded replies of public repositories, whose checks an independent reader made (\`npm run -s replies -- --data DIR\`; the recordings are not part of the repository). Of ${asked.length} endpoints ${asked.filter((name) => proven.has(name)).length} are proven by ${total('replies')} replies: ${total('right')} observations right, ${total('wrong')} wrong. A list and the endpoint that it replaces are read by the same code and proven together.`,
    '',
    '| endpoint | replies tested | observations right | wrong |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Unproven: no recorded reply was found, so that they rest only on constructed replies, documents and the sandbox. `assay sources prove` on a machine with internet proves the rest.',
    '',
    '| source | endpoints |',
    '|---|---|',
    ...[...unproven].map(
      ([source, names]) => `| \`${source}\` | ${names.map((name) => name.slice(source.length + 1)).join(', ')} |`,
    ),
  ].join('\n');
}
