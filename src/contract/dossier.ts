import Type from 'typebox';
import { correction } from './rating.ts';
import {
  Band,
  count,
  DataMode,
  describedHere,
  jobId,
  list,
  methodologyVersion,
  nullableNumber,
  nullableText,
  nullableTime,
  oneOf,
  RatedAssetView,
  type Reply,
  time,
} from './vocabulary.ts';

const Evidence = Type.Object(
  {
    kind: oneOf('What it is: one value of many sources, one finding of the rating, or a condition that was tested.', [
      'quantity',
      'feature',
      'flag',
    ]),
    name: Type.String({ description: 'Its id or code.', examples: ['mq_depth2'] }),
    title: Type.String({ description: 'Its subject.' }),
    status: oneOf(
      '`not_raised`: the condition was not met, or its evidence is missing; it proves nothing alone. `withheld`: known, but the terms of its only source forbid showing it. `none_shown`: the project received the request and shows none.',
      ['stated', 'raised', 'not_raised', 'withheld', 'none_shown', 'not_known', 'not_applicable'],
    ),
    value: nullableText('The value as text; null where none is shown.'),
    detail: nullableText(
      'How it came about, or why it is not known; outside text; null where there is nothing to add.',
    ),
    as_of: nullableTime('Date of the oldest value it rests on; null without one.'),
    sources: list('Names of the sources that were accepted for it.'),
  },
  { title: 'DossierEvidence', description: 'One piece of evidence, with its date and sources.' },
);
const Requirement = Type.Object(
  {
    id: Type.String({ description: 'Id of the requirement.', examples: ['mica_76.2'] }),
    reference: Type.String({ description: 'Its place in the text.' }),
    requirement: Type.String({ description: 'What it requires, paraphrased. The text itself is authoritative.' }),
    state: oneOf(
      '`evidence`: everything that is looked at is known; `partial`: some of it, or the reader has to supply the rest; `gap`: nothing; `reader`: public evidence cannot show it.',
      ['evidence', 'partial', 'gap', 'reader'],
    ),
    gap: nullableText('What is missing; null where nothing is.'),
    left_to_reader: nullableText('What public evidence cannot show and the reader supplies; null: nothing.'),
    evidence: Type.Array(Evidence, { description: 'Evidence for it.' }),
    checked_against: Type.Union(
      [
        Type.Object({
          publisher: Type.String({ description: 'Who published the text that was read.' }),
          url: Type.String({ description: 'Its address.' }),
          read_on: Type.String({ description: 'Day it was read, YYYY-MM-DD.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Public text that the paraphrase was checked against; null: none could be read, check it yourself.',
      },
    ),
  },
  { title: 'DossierRequirement', description: 'One requirement with its evidence, or an explicit gap.' },
);
export const DossierView = Type.Object(
  {
    asset: RatedAssetView,
    band: describedHere(Band, 'As published.'),
    score: nullableNumber('As published, 0-100; null when not rated.'),
    trust_score: Type.Number({ description: 'How far the evidence can be trusted, 0-100.' }),
    methodology_version: methodologyVersion,
    job_id: jobId,
    as_of: time('When the facts were true.'),
    correction,
    notice: Type.String({ description: 'What a dossier is and is not.' }),
    frameworks: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: 'Id of the framework.' }),
          title: Type.String({ description: 'Its title.' }),
          kind: oneOf('`reading_aid`: the subjects of somebody else’s assessment, which this is not.', [
            'regulation',
            'reading_aid',
          ]),
          notice: Type.String({ description: 'What the reader must know of this part.' }),
          counts: Type.Object(
            {
              evidence: count('Requirements that the evidence covers in full.'),
              partial: count('Requirements that it covers in part.'),
              gap: count('Requirements with none.'),
              reader: count('Requirements that public evidence cannot cover.'),
            },
            { description: 'Requirements by state. They are not a grade.' },
          ),
          requirements: Type.Array(Requirement, { description: 'In the order of the text.' }),
        },
        { title: 'DossierFramework', description: 'One regulation, or the subjects of one assessment.' },
      ),
      { description: 'Reading aids for stablecoins are there for stablecoins alone.' },
    ),
    data_mode: DataMode,
  },
  { title: 'Dossier', description: 'What a listing desk has to look at, with evidence or an explicit gap for each.' },
);
export type Dossier = Reply<typeof DossierView>;
