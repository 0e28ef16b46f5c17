import { checked } from './complaints.ts';
import { inForce, loadMethodology, type MethodologyFile, methodologyFile } from './load.ts';
import type { CapDefinition, FlagDefinition, Methodology, MethodologyChange } from './schema.ts';
import { methodologySchema } from './schema.ts';
import { capSchema, flagSchema } from './thresholds.ts';

/** A version of the methodology with which ratings were made. */
export interface MethodologyVersion extends MethodologyFile {
  readonly version: string;
  readonly date: string;
  readonly inForce: boolean;
}

let versions: readonly MethodologyVersion[] | null = null;

/**
 * All versions, the one in force first: each entry of the log of changes except the newest has a file in
 * `methodology/versions/`. Throws when a file is missing (`npm run methodology:keep` was not run).
 */
export function methodologyVersions(): readonly MethodologyVersion[] {
  versions ??= methodologyChanges().map(({ version, date }, index) => {
    const isInForce = index === 0;
    const file = isInForce ? inForce() : methodologyFile(`versions/${version}.json`);
    return { version, date, inForce: isInForce, ...file };
  });
  return versions;
}

/** Earlier versions that this code can compute, with the numbers that are in neither their files nor later ones. */
const COMPUTABLE: Readonly<Record<string, Partial<Methodology>>> = {
  '1.5.0': {},
  '1.5.1': {},
  '1.6.0': {},
  '1.7.0': {},
  '1.8.0': {},
  '1.9.0': {},
  '1.10.0': {},
};

/**
 * The methodology with this hash if this code can still compute it: the one in force, and those that differ from it
 * only in data. Otherwise null.
 */
export function computableMethodology(hash: string): Methodology | null {
  if (hash === loadMethodology().hash) return loadMethodology();
  const known = earlier.get(hash);
  if (known !== undefined) return known;
  const found = earlierMethodology(hash);
  if (found !== null) earlier.set(hash, found);
  return found;
}

/** Earlier versions that were asked for, by hash: at most those of `COMPUTABLE`. */
const earlier = new Map<string, Methodology>();

function earlierMethodology(hash: string): Methodology | null {
  const kept = methodologyVersions().find((row) => row.hash === hash);
  const added = kept === undefined ? undefined : COMPUTABLE[kept.version];
  if (kept === undefined || added === undefined) return null;
  const found = checked(completed({ ...(kept.content as object), ...added }, kept.version));
  if (!found.ok) throw new Error(`methodology ${kept.version}: ${found.complaints.slice(0, 5).join('; ')}`);
  return { ...found.value, hash, calibration: loadMethodology().calibration };
}

/**
 * An earlier version in the current shape. A number missing in its file is taken from the first later version that has
 * it, because a PATCH moves numbers unchanged from the code into the file. Properties that no rule reads any more are
 * removed.
 */
export function completed(content: unknown, version: string): unknown {
  const newestFirst = methodologyVersions();
  const later = newestFirst.slice(
    0,
    newestFirst.findIndex((row) => row.version === version),
  );
  return later.reduceRight<unknown>((kept, { content: next }) => {
    const whole = filled(methodologySchema, kept, next) as Pick<Methodology, 'flags' | 'caps'>;
    const { flags, caps } = next as Pick<Methodology, 'flags' | 'caps'>;
    return {
      ...whole,
      flags: filledRows(flagSchema, whole.flags, flags),
      caps: filledRows(capSchema, whole.caps, caps),
    };
  }, content);
}

/** Rows of flags or caps with exactly the thresholds that the rules read. */
function filledRows<Row extends FlagDefinition | CapDefinition>(
  { properties }: { readonly properties: Readonly<Record<string, object>> },
  rows: readonly Row[],
  next: readonly Row[],
): readonly Row[] {
  return rows.map((row) => {
    const later = next.find(({ code }) => code === row.code)?.thresholds ?? {};
    const own = properties[row.code];
    return own === undefined ? row : { ...row, thresholds: filled(own, row.thresholds, later) as Row['thresholds'] };
  });
}

/**
 * `kept` with exactly the properties of the schema; missing ones are taken from `next`, except optional ones, whose
 * absence has a meaning.
 */
function filled(schema: object, kept: unknown, next: unknown): unknown {
  const { properties, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
  };
  if (properties === undefined || !isRecord(kept) || !isRecord(next)) return kept;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, own]) => {
      const value =
        name in kept ? filled(own, kept[name], next[name]) : required.includes(name) ? next[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The log of changes, newest first. */
export function methodologyChanges(): readonly MethodologyChange[] {
  return loadMethodology().changes;
}
