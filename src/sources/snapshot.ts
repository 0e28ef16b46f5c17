import Type, { type Static } from 'typebox';
import type { ObservationDraft, Tie } from '../domain/index.ts';
import { tieDraft } from './github-ties.ts';
import { observed } from './observations.ts';
import { textsIn } from './read.ts';
import { post } from './requests.ts';
import { defineSource, endpoint, type Facts, type Params } from './source.ts';
import { namesIn, namesOf } from './ties.ts';

/**
 * Snapshot: off-chain voting spaces, and the tokens that their strategies count.
 *
 * Lineage: the space's own settings, signed by its controller; family `snapshot`. Anyone can link a space, so a space counts only
 * if one of its strategies reads the balance of the asset. Creating such a space costs no more than a name, and its votes are not
 * binding, so it earns less than a governance contract. Terms: keyless, 100 a minute
 * (docs.snapshot.box/tools/api/api-keys, read in a copy of 2026): one call a rating. Quirks: an unknown id is missing from the
 * list; addresses are in mixed case and may be in any key of a strategy's `params`.
 */
const SPACE = /^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,4}$/;
const QUERY =
  'query Spaces($ids: [String]!) { spaces(first: 10, where: { id_in: $ids }) { id name network symbol strategies { name network params } } }';
const MOST_STRATEGIES = 20;
const DEEPEST = 6;
/** Points of a space in which the asset has votes; the votes are not executed. */
const SIGNAL_POINTS = 45;

const Spaces = Type.Object({
  data: Type.Object({
    spaces: Type.Array(
      Type.Object({
        id: Type.String(),
        strategies: Type.Union([
          Type.Null(),
          Type.Array(Type.Object({ name: Type.Optional(Type.String()), params: Type.Optional(Type.Unknown()) })),
        ]),
      }),
    ),
  }),
});

/** All text in a strategy's settings, down to a plausible depth. */
function leavesOf(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((row) => leavesOf(row, depth + 1));
}

/** The address of the asset whose balance these strategies read; null if they read none. */
export function countedAsset(strategies: readonly { readonly params?: unknown }[], params: Params): string | null {
  const settings = strategies.slice(0, MOST_STRATEGIES).flatMap((row) => leavesOf(row.params));
  const found = new Set(settings.map((row) => (/^0x[0-9a-fA-F]{40}$/.test(row) ? row.toLowerCase() : row)));
  return namesIn(params).addresses.find((row) => found.has(row)) ?? null;
}

/** The voting spaces that the project's site links, with the addresses that their strategies must contain. */
export function planSpaces(facts: Facts): readonly Params[] {
  const names = namesOf(facts);
  const spaces = textsIn(facts.learned['website.snapshotSpaces']).filter((id) => SPACE.test(id));
  return names === null || namesIn(names).addresses.length === 0 || spaces.length === 0
    ? []
    : [{ spaces: [...spaces].sort(), ...names }];
}

function tieOf(space: Static<typeof Spaces>['data']['spaces'][number], params: Params): Tie {
  const own = countedAsset(space.strategies ?? [], params);
  return {
    kind: 'governance',
    subject: `snapshot:${space.id.toLowerCase().slice(0, 120)}`,
    state: own === null ? 'linked' : 'confirmed',
    by: own === null ? 'its votes do not count the asset' : 'its votes count the balance of the asset',
    link: `https://snapshot.box/#/s:${space.id.slice(0, 120)}`,
  };
}

function observe(reply: Static<typeof Spaces>, params: Params): readonly ObservationDraft[] {
  const requested = Array.isArray(params.spaces) ? params.spaces : [];
  const ties = reply.data.spaces
    .filter((space) => requested.includes(space.id.toLowerCase()))
    .slice(0, 5)
    .map((space) => tieOf(space, params));
  if (ties.length === 0) return [];
  const isTied = ties.some((tie) => tie.state === 'confirmed');
  return [
    tieDraft('snapshot', ties, requested.join(',').slice(0, 200)),
    ...observed(
      'governance_score',
      isTied ? SIGNAL_POINTS : null,
      'holders of the asset vote in a space off chain; nothing executes the votes',
      { reliability: 0.5 },
    ),
  ];
}

export const snapshot = defineSource({
  name: 'snapshot',
  title: 'Snapshot',
  doc: 'https://docs.snapshot.box/tools/api',
  family: 'snapshot',
  tier: 'registry',
  reliability: 0.8,
  bases: { main: 'https://hub.snapshot.org' },
  terms: { redistribute: true, keepBodyDays: 90, note: 'public settings of voting spaces' },
  budget: { perMinute: 30, burst: 6, concurrency: 2, shareSeconds: 3_600 },
  timeoutMs: 8_000,
  endpoints: [
    endpoint({
      name: 'spaces',
      doc: 'POST /graphql `spaces(where: {id_in})`: id and strategies with their params (snapshot-labs/snapshot-hub, src/graphql)',
      plan: planSpaces,
      request: ({ spaces = [] }) => post('/graphql', { query: QUERY, variables: { ids: spaces } }),
      reply: Spaces,
      observe,
    }),
  ],
});
