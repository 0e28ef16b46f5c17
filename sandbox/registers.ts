import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAINS } from '../src/chains/index.ts';
import { DAY_MS } from '../src/domain/statistics.ts';
import fiction from './world/registers.json' with { type: 'json' };
import type { World } from './world/world.ts';

/** A row of the fiction by the slug of its asset; the rest of a row follows from the world. */
type Fiction = Readonly<Record<string, unknown>> & { readonly slug: string };

const SOURCES = { sandbox: { url: 'none: the fiction of the sandbox', licence: 'fiction' } };
/** Days that a row stands: the world may be played for years. */
export const KEPT_DAYS = 3_650;
const REVIEWERS = ['a reviewer of the fiction', 'another reviewer of the fiction'];

/**
 * Writes the registers of the fictional world into a folder for ASSAY_REGISTERS_DIR. Each file says that it is of the sandbox, and a live
 * service refuses it. Rows are read on the day on which the world begins.
 */
export function writeRegisters(world: Pick<World, 'anchor' | 'assets'>, folder: string): void {
  const day = (days: number) => new Date(world.anchor + days * DAY_MS).toISOString().slice(0, 10);
  mkdirSync(folder, { recursive: true });
  for (const [register, rows] of Object.entries(fiction as Readonly<Record<string, readonly Fiction[]>>)) {
    const file = {
      world: 'sandbox',
      updated: day(0),
      sources: { sandbox: { ...SOURCES.sandbox, seen: day(0) } },
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
          note: 'fiction of the sandbox',
        };
      }),
    };
    writeFileSync(join(folder, `${register}.json`), `${JSON.stringify(file, null, 2)}\n`);
  }
}

/** Licences with a source were read in it on that day. */
function dated(cells: Readonly<Record<string, unknown>>, seen: string): Readonly<Record<string, unknown>> {
  if (!Array.isArray(cells.regulators)) return cells;
  const regulators = cells.regulators.map((one: object) => ('source' in one ? { ...one, seen } : one));
  return { ...cells, regulators };
}
