import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CLASSES, FACTOR_CODES } from '../domain/rating.ts';
import { loadMethodology } from './load.ts';
import type { CapDefinition, FeatureDefinition } from './schema.ts';

const MARK =
  '<!-- Generated below this line; UPDATE_DOCS=1 node --test src/methodology/documented.test.ts writes it. -->';
const methodology = loadMethodology();
const page = new URL('../../docs/methodology.md', import.meta.url);

test('docs/methodology.md shows the methodology in force (UPDATE_DOCS=1 writes it)', () => {
  const [head = ''] = readFileSync(page, 'utf8').split(MARK, 1);
  const whole = `${[`${head}${MARK}`, ...tables()].join('\n\n')}\n`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, whole);
  assert.equal(readFileSync(page, 'utf8'), whole);
});

test('the figures in the page’s prose are those of the methodology', () => {
  const [head = ''] = readFileSync(page, 'utf8').split(MARK, 1);
  const prose = head.replaceAll(/\s+/g, ' ');
  const { aggregation, consensus, trust } = methodology;
  for (const said of [
    `starts at ${aggregation.prior}`,
    `starts at ${methodology.preTge.prior}`,
    `${methodology.flags.length} flags`,
    `at most ${consensus.groupWeightCap * 100} % of the weight`,
    `at most ${consensus.singleSourceConfidenceCap}`,
    `at most ${consensus.disputedConfidenceCap}`,
    `at least ${trust.minimumMatch.toFixed(2)}`,
    `${methodology.vfr.minimumPeers} peers`,
    `${methodology.publication.cure.days} days`,
    `more than ${consensus.outlierZ} robust standard deviations`,
    `cannot be sold ends at ${capOf('CANNOT_SELL')}`,
    `may mint at ${capOf('MINT_EOA')}`,
    `younger than a week at ${capOf('AGE_7D')}`,
  ])
    assert.ok(prose.includes(said), `"${said}" is not in the prose any more, or the methodology has changed`);
  const disclosure = readFileSync(new URL('disclosure.md', page), 'utf8');
  const links = [
    ...head.matchAll(/\]\(#([a-z0-9-]+)\)/g),
    ...disclosure.matchAll(/\]\(methodology\.md#([a-z0-9-]+)\)/g),
  ];
  for (const [, anchor = ''] of links) assert.ok(headings().has(anchor), `no heading for the link #${anchor}`);
});

function capOf(code: string): number | undefined {
  return methodology.caps.find((row) => row.code === code)?.cap;
}

function headings(): ReadonlySet<string> {
  const rows = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...rows].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function tables(): readonly string[] {
  const { aggregation, bands, consensus, preTge, publication, trust, vfr } = methodology;
  return [
    `# Tables of version ${methodology.version} (${methodology.date})`,
    section(
      'Cut-offs of the bands',
      ['band', 'score from', 'failures within 12 months, target', 'meaning'],
      [
        ...bands.map((row) => [row.band, row.from, percent(row.failureTarget), row.meaning]),
        ['NR', '', '', 'not rated: the evidence is too thin'],
      ],
    ),
    classes(),
    ...FACTOR_CODES.map(features),
    caps('Caps', methodology.caps),
    flags(),
    section(
      'Classes of quantities',
      [
        'class',
        'noise floor',
        'half-life',
        'not older than',
        'families for full marks',
        'nearest to the thing',
        'quantities',
      ],
      Object.entries(consensus.classes).map(([name, row]) => [
        name,
        row.noise,
        duration(row.halfLifeSeconds),
        duration(row.maxAgeSeconds),
        row.quorum,
        row.authoritativeTier ?? '',
        quantitiesOf(name),
      ]),
    ),
    section(
      'Agreement',
      ['parameter', 'value'],
      parameters({ ...consensus, classes: null, classOf: null, correlations: null, calibration: null }),
    ),
    section(
      'How often a confidence was right',
      ['confidence from', 'right'],
      consensus.calibration.steps.map(([from, right]) => [from, percent(right)]),
    ),
    section(
      'Families that draw on each other',
      ['family', 'family', 'correlation'],
      [
        ...consensus.correlations.map((row) => [...row.families, row.rho]),
        ['the chain', 'any other', consensus.chainCorrelation],
        ['any other', 'any other', consensus.defaultCorrelation],
      ],
    ),
    section('Parameters of trust', ['parameter', 'value'], parameters({ ...trust, tiers: null })),
    section(
      'Trust tiers',
      ['tier', 'trust from', 'highest score'],
      trust.tiers.map((row) => [row.tier, row.from, row.tier === 'insufficient' ? 'not rated' : (row.cap ?? '')]),
    ),
    section(
      'From features to score',
      ['parameter', 'value'],
      parameters({
        ...aggregation,
        flagConfidence: methodology.flagConfidence,
        capConfidence: methodology.capConfidence,
      }),
    ),
    section('What features read', ['parameter', 'value'], parameters(methodology.featureRules)),
    section('Figures over lists and venues', ['parameter', 'value'], parameters(methodology.metrics)),
    section(
      'Who is a holder',
      ['owners', 'in the adjusted view'],
      [
        [methodology.holders.outsideSupply.join(', '), 'neither holders nor supply'],
        [methodology.holders.notHolders.join(', '), 'no holders; their tokens stay in the supply'],
        ['all others', 'holders'],
      ],
    ),
    section(
      'Published ratings and default',
      ['parameter', 'value'],
      parameters({ ...publication, reason: null, floor: null, replacement: null, record: null }),
    ),
    section(
      'What must have been read',
      ['critical quantity', 'of', 'any of', 'lineage groups', 'or all of these asked and answered'],
      publication.floor.critical.map(({ name, appliesTo, quantities, families, sources }) => [
        name,
        [
          appliesTo.contractOnly ? 'contract tokens' : 'tokens',
          ...(appliesTo.chainKind ? [appliesTo.chainKind] : []),
          ...(appliesTo.categories ?? []),
        ].join(', '),
        quantities.join(', '),
        families,
        sources.join(', '),
      ]),
    ),
    section(
      'Least asked share',
      ['category', `${publication.floor.highBand} and above`, `from ${publication.floor.middleBand}`, 'any band'],
      Object.entries(publication.floor.askedShare).map(([category, least]) => [
        category === '*' ? 'others' : category,
        least.high,
        least.middle,
        least.any,
      ]),
    ),
    section(
      'What replaces a published rating',
      ['parameter', 'value'],
      parameters({
        minimumMatch: publication.floor.minimumMatch,
        limits: publication.floor.limits,
        ...publication.replacement,
        ...publication.record,
        partyControlled: publication.floor.partyControlled,
        notAsked: publication.floor.notAsked,
        openDefault: { ...publication.floor.openDefault, reason: null },
        reason: null,
      }),
    ),
    section('Parameters of value fairness', ['parameter', 'value'], parameters(vfr)),
    section(
      'Factors before the token',
      ['factor', 'weight', 'features'],
      preTge.factors.map((row) => [
        `${row.code} ${row.name}`,
        row.weight,
        preTge.features
          .filter((feature) => feature.factor === row.code)
          .map((feature) => feature.name)
          .join('; '),
      ]),
    ),
    caps('Caps before the token', preTge.caps),
    section(
      'Changes',
      ['version', 'date', 'kind', 'reason', 'effect'],
      methodology.changes.map((row) => [row.version, row.date, row.kind, row.reason, row.effect]),
    ),
  ];
}

function classes(): string {
  const { classes, weightTables } = methodology;
  const rows = CLASSES.map((name) => ({ name, ...classes[name] }));
  return [
    section(
      'Classes',
      ['class', 'title', 'category', 'weights', 'words of registries'],
      rows.map((row) => [row.name, row.title, row.category, row.weights, row.keywords.join(', ')]),
    ),
    section(
      'Weights of factors',
      ['factor', ...Object.keys(weightTables)],
      FACTOR_CODES.map((code) => [
        `${code} ${methodology.factors[code].name}`,
        ...Object.values(weightTables).map((table) => table[code]),
      ]),
    ),
    section(
      'Features by class',
      ['class', ...FACTOR_CODES],
      rows.map((row) => [
        row.name,
        ...FACTOR_CODES.map((code) =>
          [
            row.features[code] ?? '',
            ...(row.withIssuer[code] === undefined ? [] : [`with an issuer: ${row.withIssuer[code]}`]),
            ...(row.asCreditVault?.[code] === undefined ? [] : [`as a credit vault: ${row.asCreditVault[code]}`]),
          ].join('; '),
        ),
      ]),
    ),
  ].join('\n\n');
}

function features(code: (typeof FACTOR_CODES)[number]): string {
  return section(
    `Features of ${code}, ${methodology.factors[code].name.toLowerCase()}`,
    ['feature', 'weight', 'value: points', 'who can silence it', 'basis'],
    methodology.features
      .filter((row) => row.factor === code)
      .map((row) => [
        row.critical ? `${row.name} (counts double in trust)` : row.name,
        weight(row),
        value(row),
        silenceOf(row),
        row.reason,
      ]),
  );
}

const WHO = { N: 'nobody', T: 'a third party', P: 'the project' };

function silenceOf({ silence, zero }: FeatureDefinition): string {
  const who = silence.points === null ? WHO[silence.kind] : `${WHO[silence.kind]}: ${silence.points}`;
  return zero === null ? who : `${who}; none at all: ${zero}`;
}

/** Weight in each table that has the feature. */
function weight({ id }: FeatureDefinition): string {
  return Object.entries(methodology.featureTables)
    .flatMap(([name, table]) => (table[id] === undefined ? [] : [`${name} ${table[id]}`]))
    .join('; ');
}

function value({ anchors, scale, states, unit }: FeatureDefinition): string {
  if (scale === 'logistic') return `100 / (1 + e^(-${anchors[0]?.[0]} x))`;
  const rows = scale === 'state' ? Object.entries(states) : anchors;
  const points = rows.map(([at, points]) => `${typeof at === 'number' ? number(at) : at}: ${points}`).join('; ');
  return scale === 'state' ? points : `${points} (${unit}${scale === 'log' ? ', log' : ''})`;
}

function caps(title: string, rows: readonly CapDefinition[]): string {
  return section(
    title,
    ['cap', 'highest score', 'classes', 'when', 'flag', 'lifted by'],
    [...rows]
      .sort((a, b) => a.cap - b.cap)
      .map((row) => [
        row.code,
        row.cap,
        row.classes?.join(', ') ?? '',
        row.condition,
        row.flag ?? '',
        row.lifts ?? row.expiry,
      ]),
  );
}

function flags(): string {
  const bySeverity = Map.groupBy(methodology.flags, (row) => row.severity);
  const counts = [...bySeverity].map(([severity, rows]) => `${rows.length} ${severity}`).join(', ');
  const silent = methodology.flags.filter((row) => row.notRaisedBecause !== null);
  return [
    section(
      'Flags',
      ['flag', 'severity', 'when'],
      methodology.flags.map((row) => [row.code, row.severity, row.definition]),
    ),
    `${methodology.flags.length} flags: ${counts}.${silent.length > 0 ? ' Not raised from public data today:' : ''}`,
    ...silent.map((row) => `- ${row.code}: ${row.notRaisedBecause}`),
  ].join('\n');
}

function quantitiesOf(name: string): string {
  const { classOf } = methodology.consensus;
  return Object.entries(classOf)
    .filter(([, own]) => own === name)
    .map(([quantity]) => quantity)
    .join(', ');
}

/** Every number of a part of the methodology under its path. */
function parameters(part: object, path = ''): readonly (readonly string[])[] {
  return Object.entries(part).flatMap(([key, own]): readonly (readonly string[])[] => {
    const name = path === '' ? key : `${path}.${key}`;
    if (own === null) return [];
    if (Array.isArray(own)) return [[name, own.join(', ')]];
    return typeof own === 'object'
      ? parameters(own, name)
      : [[name, typeof own === 'number' ? number(own) : String(own)]];
  });
}

function section(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [`## ${title}`, '', line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function percent(share: number | null): string {
  return share === null ? '' : `${number(share * 100)} %`;
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

function duration(seconds: number): string {
  if (seconds >= 2 * 86_400) return `${number(seconds / 86_400)} d`;
  return seconds >= 3_600 ? `${number(seconds / 3_600)} h` : `${number(seconds / 60)} min`;
}
