import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import criteria from './dossier-criteria.json' with { type: 'json' };

/** The framework text that the criteria were checked against. */
const CheckedAgainst = Type.Object(
  {
    publisher: Type.String({ minLength: 1 }),
    url: Type.String({ pattern: '^https://' }),
    read_on: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  },
  { additionalProperties: false },
);
const Requirement = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9_.]+$' }),
    reference: Type.String({ minLength: 1 }),
    requirement: Type.String({ minLength: 1 }),
    /** Null: no public text was available, and the wording is from general knowledge. */
    checked_against: Type.Union([CheckedAgainst, Type.Null()]),
    evidence: Type.Array(
      Type.Object(
        {
          kind: Type.Union([Type.Literal('quantity'), Type.Literal('feature'), Type.Literal('flag')]),
          name: Type.String({ pattern: '^[A-Za-z0-9_]+$' }),
        },
        { additionalProperties: false },
      ),
    ),
    /** The part that public evidence cannot answer; null if there is none. */
    left_to_reader: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  },
  { additionalProperties: false },
);
export const CriteriaFile = Type.Object(
  {
    schema: Type.Literal('assay.dossier-criteria/1'),
    frameworks: Type.Array(
      Type.Object(
        {
          id: Type.String({ pattern: '^[a-z0-9_]+$' }),
          title: Type.String({ minLength: 1 }),
          kind: Type.Union([Type.Literal('regulation'), Type.Literal('reading_aid')]),
          applies_to: Type.Union([Type.Literal('all'), Type.Literal('stablecoin')]),
          notice: Type.String({ minLength: 1 }),
          requirements: Type.Array(Requirement, { minItems: 1 }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
);
export type Criteria = Static<typeof CriteriaFile>;
export type Framework = Criteria['frameworks'][number];

let checked: Criteria | null = null;

/** The shipped criteria. A file that does not fit its schema is a build error. */
export function dossierCriteria(): Criteria {
  if (checked === null) {
    const validator = Compile(CriteriaFile);
    if (!validator.Check(criteria))
      throw new Error(
        `dossier-criteria.json does not fit its schema: ${JSON.stringify([...validator.Errors(criteria)][0])}`,
      );
    checked = criteria;
  }
  return checked;
}
