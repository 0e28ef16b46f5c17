import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { ObservationDraft } from '../domain/index.ts';
import tokens from './l2-tokens.json' with { type: 'json' };
import { observed } from './observations.ts';
import { FlagOptional, fields, fieldsOf, Maybe, TextOptional, textsIn } from './read.ts';
import { defineSource, endpoint, type Params } from './source.ts';

/**
 * L2BEAT: stage and risks of every scaling project, one public reply.
 *
 * Lineage: L2BEAT's own reviews; family `l2beat`. The reply names a project's tokens by symbol only, so a token is matched by the kept table
 * of addresses (`l2-tokens.json`), and only if the reply names its symbol too. Terms: the code is MIT; no terms of the data were found.
 * Limits: none published; one request in six hours. Quirks: `tvl` was renamed to `tvs` in 2024; a token is a text or `{symbol}`; a `warning`
 * next to a risk overrides the better value of the risk.
 */
const Risk = Type.Object({
  name: Type.String(),
  sentiment: TextOptional,
  warning: Type.Optional(Type.Unknown()),
});
const Project = Type.Object({
  ...fields(TextOptional, 'id', 'slug', 'stage'),
  isArchived: FlagOptional,
  isUnderReview: FlagOptional,
  risks: Maybe(Type.Array(Risk)),
  tvl: Type.Optional(Type.Unknown()),
  tvs: Type.Optional(Type.Unknown()),
});
type Project = Static<typeof Project>;
const isProject = Compile(Project);
// Each project is validated when its row is read, so an invalid project does not reject the list.
const Summary = Type.Union([
  Type.Object({ projects: Type.Record(Type.String(), Type.Unknown()) }),
  Type.Object({ data: Type.Object({ projects: Type.Record(Type.String(), Type.Unknown()) }) }),
  Type.Array(Project),
]);

const STAGES: Readonly<Record<string, string>> = {
  'stage 0': 'stage0',
  'stage 1': 'stage1',
  'stage 2': 'stage2',
  'not applicable': 'none',
};

/** Null for a project under review and for an unknown stage. */
function stageOf({ stage, isUnderReview, isArchived }: Project): string | null {
  if (isUnderReview === true) return null;
  return isArchived === true ? 'none' : (STAGES[(stage ?? '').toLowerCase()] ?? null);
}

/** If the risk is good, users can force the inclusion of transactions. If it is bad, or has a warning, only the sequencer decides. */
function sequencerOf({ risks }: Project): string | null {
  const risk = risks?.find(({ name }) => /^sequencer failure$/i.test(name));
  const warned = fieldsOf(risk?.warning).sentiment;
  if (risk?.sentiment === 'good') return warned === 'bad' ? 'single' : 'forced_inclusion';
  return risk?.sentiment === 'bad' || risk?.sentiment === 'warning' ? 'single' : null;
}

function symbolsOf(project: Project): readonly string[] {
  const { associatedTokens } = fieldsOf(project.tvs ?? project.tvl);
  const rows = Array.isArray(associatedTokens) ? associatedTokens : [];
  // Recorded: `Metis` for METIS.
  return textsIn(rows.map((row) => (typeof row === 'string' ? row : fieldsOf(row).symbol))).map((name) =>
    name.toUpperCase(),
  );
}

/** Addresses of the project's own token according to the table, as `chain:address`. */
function placesOf(project: Project): readonly string[] {
  const names = [project.id, project.slug];
  const symbols = symbolsOf(project);
  return tokens
    .filter((row) => row.names.some((name) => names.includes(name)) && symbols.includes(row.symbol))
    .flatMap(({ places }) => places.map(({ chain, address }) => `${chain}:${address}`));
}

/** Projects of the whole reply, or of a single row of it. */
function projectsIn(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  return Object.values(fieldsOf(fieldsOf(fieldsOf(reply).data ?? reply).projects));
}

const keyOf = ({ chain, address }: Params) => `${String(chain)}:${String(address)}`;

function observe(reply: Static<typeof Summary>, params: Params): readonly ObservationDraft[] {
  const project = projectsIn(reply).find((row) => isProject.Check(row) && placesOf(row).includes(keyOf(params)));
  if (!isProject.Check(project)) return [];
  const of = { meaning: `${(project.slug ?? project.id ?? '').slice(0, 60)} as L2BEAT reviews it` };
  return [...observed('l2_stage', stageOf(project), of), ...observed('l2_sequencer_state', sequencerOf(project), of)];
}

export const l2beat = defineSource({
  name: 'l2beat',
  title: 'L2BEAT',
  doc: 'https://l2beat.com/faq',
  family: 'l2beat',
  tier: 'registry',
  reliability: 0.9,
  bases: { main: 'https://l2beat.com' },
  terms: {
    attribution: { text: 'Stage and risks: L2BEAT', url: 'https://l2beat.com' },
    redistribute: false,
    keepBodyDays: 30,
    note: 'terms of the data were not found: request permission before passing it on',
  },
  budget: { perMinute: 6, burst: 2, concurrency: 1, shareSeconds: 3_600 },
  timeoutMs: 10_000,
  endpoints: [
    endpoint({
      name: 'scaling_summary',
      doc: '/api/scaling/summary: stage and risks of all projects (recorded 2024-11-09; in use 2026-09)',
      maxBytes: 8 * 1024 * 1024,
      plan: ({ chain, address }) =>
        tokens.some(({ places }) => places.some((row) => row.chain === chain?.name && row.address === address))
          ? [{ chain: chain?.name ?? null, address }]
          : [],
      request: () => ({ path: '/api/scaling/summary' }),
      reply: Summary,
      list: {
        refreshSeconds: 6 * 60 * 60,
        rowsOf: projectsIn,
        keysOf: (row) => (isProject.Check(row) ? placesOf(row) : []),
        keyOf,
      },
      observe,
    }),
  ],
});
