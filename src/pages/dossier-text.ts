import { correctionWords, type Dossier } from '../contract/index.ts';
import { escapeHtml, escapeMarkdown, inNumber } from '../domain/index.ts';
import { pageOf, tableOf } from './shell.ts';

type Framework = Dossier['frameworks'][number];
type Requirement = Framework['requirements'][number];
type Evidence = Requirement['evidence'][number];

const STATES: Readonly<Record<Requirement['state'], string>> = {
  evidence: 'Evidence',
  partial: 'Evidence in part',
  gap: 'Gap',
  reader: 'For the reader',
};
const COLUMNS = ['Evidence', 'Value', 'Date', 'Sources'];

/** The dossier as an HTML page; all outside text is escaped. */
export function dossierHtml(dossier: Dossier): string {
  const e = (text: string) => escapeHtml(inNumber(text));
  const body = [
    `<header class="top"><h1>Listing dossier: ${e(titleOf(dossier))}</h1>${sandboxOf(dossier)}${dossier.correction === undefined ? '' : `<p class="banner">${e(correctionWords(dossier.correction))}</p>`}<p>${e(headOf(dossier))}</p><p class="soft">${e(dossier.notice)}</p></header>`,
    ...dossier.frameworks.map(
      (framework) =>
        `<section><h2>${e(framework.title)}</h2><p class="soft">${e(framework.notice)}</p><p>${e(countsOf(framework))}</p>${framework.requirements.map(requirementHtml).join('\n')}</section>`,
    ),
  ];
  return pageOf(`Listing dossier: ${titleOf(dossier)}`, body.join('\n'));
}

function requirementHtml(row: Requirement): string {
  const e = (text: string) => escapeHtml(inNumber(text));
  return `<h3>${e(row.reference)} · <span${row.state === 'gap' ? ' class="bad"' : ''}>${STATES[row.state]}</span></h3>
<p>${e(row.requirement)}</p>
${
  row.evidence.length === 0
    ? ''
    : tableOf(
        `Evidence for ${row.reference} (${row.id})`,
        COLUMNS,
        row.evidence.map((one) => cellsOf(one).map(e)),
      )
}
${remarksOf(row)
  .map((text) => `<p class="soft">${e(text)}</p>`)
  .join('')}`;
}

/** The dossier as Markdown; characters that could start markup are escaped. */
export function dossierMarkdown(dossier: Dossier): string {
  const m = escapeMarkdown;
  const parts = [
    `# Listing dossier: ${m(titleOf(dossier))}`,
    ...(dossier.data_mode === 'sandbox' ? [`> **${SANDBOX}**`] : []),
    ...(dossier.correction === undefined ? [] : [`> **${m(correctionWords(dossier.correction))}**`]),
    m(headOf(dossier)),
    m(dossier.notice),
    ...dossier.frameworks.flatMap((framework) => [
      `## ${m(framework.title)}`,
      m(framework.notice),
      m(countsOf(framework)),
      ...framework.requirements.flatMap((row) => [
        `### ${m(row.reference)} · ${STATES[row.state]}`,
        m(row.requirement),
        ...(row.evidence.length === 0 ? [] : [markdownTable(row.evidence)]),
        ...remarksOf(row).map(m),
      ]),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function markdownTable(evidence: readonly Evidence[]): string {
  const rows = evidence.map((one) => `| ${cellsOf(one).map(escapeMarkdown).join(' | ')} |`);
  return [`| ${COLUMNS.join(' | ')} |`, `|${COLUMNS.map(() => '---|').join('')}`, ...rows].join('\n');
}

const SANDBOX = 'SANDBOX: everything in this dossier is fictional.';

function sandboxOf({ data_mode: mode }: Dossier): string {
  return mode === 'sandbox' ? `<p class="banner">${SANDBOX}</p>` : '';
}

function titleOf({ asset: { name, symbol } }: Dossier): string {
  return `${name}${symbol === null ? '' : ` (${symbol})`}`;
}

function headOf({
  asset,
  band,
  score,
  trust_score: trust,
  as_of: asOf,
  methodology_version: version,
}: Dossier): string {
  const rated = score === null ? band : `${band}, score ${score}`;
  return `${asset.id} · rated ${rated}, trust in the evidence ${trust} · ${asOf} · methodology ${version}`;
}

function countsOf({ counts, requirements }: Framework): string {
  return `${requirements.length} requirements: ${counts.evidence} with evidence, ${counts.partial} in part, ${counts.gap} gaps, ${counts.reader} for the reader. These are counts, no grade.`;
}

const STATUS_WORDS: Readonly<Record<Evidence['status'], string>> = {
  stated: '',
  raised: 'raised',
  not_raised: 'not raised',
  withheld: 'withheld',
  none_shown: 'the project shows none',
  not_known: 'not known',
  not_applicable: 'does not apply',
};

function cellsOf({ title, status, value, detail, as_of: asOf, sources }: Evidence): string[] {
  const told = [STATUS_WORDS[status], value].filter((text) => text !== '' && text !== null).join(': ');
  return [
    title,
    detail === null ? told : `${told} (${detail})`,
    asOf === null ? 'none' : asOf.slice(0, 10),
    sources.length === 0 ? 'none' : sources.join(', '),
  ];
}

function remarksOf({ gap, left_to_reader: left, checked_against: text }: Requirement): string[] {
  return [
    ...(gap === null ? [] : [gap]),
    ...(left === null ? [] : [`For the reader: ${left}`]),
    text === null
      ? 'No public text of this point could be read: check the wording yourself.'
      : `Wording checked against ${text.publisher}, ${text.url}, on ${text.read_on}.`,
  ];
}
