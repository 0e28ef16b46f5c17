import { readFileSync } from 'node:fs';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type PositionTerms, PositionTermsSchema } from './position-schema.ts';

/** Folder of the registers that this version ships. */
export const SHIPPED = new URL('../../registers/', import.meta.url);

const Share = Type.Number({ minimum: 0, maximum: 1 });
export const RegisterTermsSchema = Type.Object(
  {
    /** Days after which a row must be reviewed again. */
    licence_days: Type.Number({ exclusiveMinimum: 0 }),
    /** Days that a report may be late, after its cadence. */
    report_grace_days: Type.Number({ minimum: 0 }),
    report_cadence_days: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 })),
    /** Reliability of a cell that the row lists as unconfirmed. */
    unconfirmed_reliability: Share,
    /** Smallest redemption, USD, from which it counts as a high minimum. */
    high_minimum_usd: Type.Number({ exclusiveMinimum: 0 }),
    outage_half_life_days: Type.Number({ exclusiveMinimum: 0 }),
    outage_window_days: Type.Number({ exclusiveMinimum: 0 }),
    /** Weight of an hour without finality compared with an hour without blocks. */
    finality_loss_weight: Share,
    /** Lower-case names of the largest audit firms. */
    big_firms: Type.Array(Type.String()),
    /** Quality of a kind of backing, 0-1. */
    backing_quality: Type.Record(Type.String(), Share),
    /** Kinds of backing that lose their value together with the token: the token itself, or one of the same issuer. */
    own_backing: Type.Array(Type.String()),
    /** Days before the expiry of a row from which a warning is given. */
    expiry_warning_days: Type.Number({ minimum: 0 }),
    /** Locations of public registers: two files of ESMA, and the records of GLEIF by LEI. */
    public: Type.Object({ esma_emt: Type.String(), esma_noncompliant: Type.String(), gleif: Type.String() }),
    /** A public register that lost a larger share of its rows since it was last read is refused. */
    shrink_limit: Share,
  },
  { additionalProperties: false },
);

/** The numerical terms of registers. */
export type RegisterTerms = Static<typeof RegisterTermsSchema>;

let loaded: RegisterTerms | null = null;
let loadedOfPositions: PositionTerms | null = null;

/** The terms of this version. Throws when the file is invalid, which is a bug and not an input error. */
export function registerTerms(): RegisterTerms {
  loaded ??= read('terms.json', RegisterTermsSchema);
  return loaded;
}

/** The terms of positions in this version. Throws when the file is invalid. */
export function positionTerms(): PositionTerms {
  loadedOfPositions ??= read('position-terms.json', PositionTermsSchema);
  return loadedOfPositions;
}

function read<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> {
  const content: unknown = JSON.parse(readFileSync(new URL(name, SHIPPED), 'utf8'));
  const validator = Compile(schema);
  if (validator.Check(content)) return content as Static<Schema>;
  const first = validator.Errors(content)[0];
  throw new Error(`registers/${name}: ${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}`);
}
