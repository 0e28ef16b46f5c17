import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAINS } from '../src/chains/index.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import fiction from './world/registers.json' with { type: 'json' };
import earth from './world/registers-earth.json' with { type: 'json' };
import type { World, WorldName } from './world/world.ts';

/** A row of a world by the slug of its asset; the rest of a row follows from the world. */
type WorldRow = Readonly<Record<string, unknown>> & { readonly slug: string };

/** Rows of the worlds that have some, and what they are: the fiction's own registers, and what an operator of the earth world looked up. */
const ROWS: Readonly<Partial<Record<WorldName, { readonly about: string; readonly rows: object }>>> = {
  fiction: { about: 'fiction of the sandbox', rows: fiction },
  earth: {
    about: 'of the sandbox: public registers of 2025-11 as an operator would have read them, our own writing',
    rows: earth,
  },
};
/** Days that a row is valid: the world may be played for years. */
export const KEPT_DAYS = 3_650;
const REVIEWERS = ['a reviewer of the sandbox', 'another reviewer of the sandbox'];

/**
 * Writes the registers of a world into a folder for ASSAY_REGISTERS_DIR; false where it has none. Each file is marked
 * as sandbox data, and a live service refuses it. Rows are reviewed on the day on which the world begins.
 */
export function writeRegisters(
  world: Pick<World, 'anchor' | 'assets'>,
  folder: string,
  name: WorldName = 'fiction',
): boolean {
  const kept = ROWS[name];
  if (kept === undefined) return false;
  const day = (days: number) => new Date(world.anchor + days * DAY_MS).toISOString().slice(0, 10);
  const source = { url: `none: ${kept.about}`, licence: 'own writing' };
  mkdirSync(folder, { recursive: true });
  for (const [register, rows] of Object.entries(kept.rows as Readonly<Record<string, readonly WorldRow[]>>)) {
    const file = {
      world: 'sandbox',
      updated: day(0),
      sources: { sandbox: { ...source, seen: day(0) } },
      rows: rows.map(({ slug, ...cells }) => {
        const asset = world.assets.find((one) => one.slug === slug);
        const chain = CHAINS.find(({ name }) => name === asset?.chain);
        if (asset === undefined || chain === undefined) throw new Error(`no token ${slug} in the world`);
        return {
          id: slug,
          name: asset.name,
          symbol: asset.symbol,
          ...dated(cells, day(0)),
          tokens: [{ chain: chain.caip2, address: asset.address }],
          sources: ['sandbox'],
          unconfirmed: [],
          reviewed_by: REVIEWERS,
          seen: day(0),
          expires: day(KEPT_DAYS),
          note: kept.about,
        };
      }),
    };
    writeFileSync(join(folder, `${register}.json`), `${JSON.stringify(file, null, 2)}\n`);
  }
  return true;
}

/** Licences with a source are dated by that day. */
function dated(cells: Readonly<Record<string, unknown>>, seen: string): Readonly<Record<string, unknown>> {
  if (!Array.isArray(cells.regulators)) return cells;
  const regulators = cells.regulators.map((one: object) => ('source' in one ? { ...one, seen } : one));
  return { ...cells, regulators };
}
