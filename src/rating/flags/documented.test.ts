import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadMethodology } from '../../methodology/load.ts';
import type { FlagDefinition } from '../../methodology/schema.ts';

/** Everything below it in docs/flags.md is generated. */
const MARK = '<!-- generated from methodology/methodology.json -->';
const methodology = loadMethodology();

test('docs/flags.md lists every flag of the methodology as it is', () => {
  const page = new URL('../../../docs/flags.md', import.meta.url);
  const text = readFileSync(page, 'utf8');
  const [prose = ''] = text.split(MARK);
  const wanted = `${prose}${MARK}\n\n${flagTables()}`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, wanted);
  else assert.equal(text, wanted, 'stale: run UPDATE_DOCS=1 node --test src/rating/flags/documented.test.ts');
});

test('the catalogue has 73 flags, and each states how it is raised or why it is not', () => {
  assert.deepEqual(
    methodology.flags.map((flag) => flag.number),
    Array.from({ length: 73 }, (_, index) => index + 1),
  );
  for (const { code, raisedBy, notRaisedBecause } of methodology.flags) {
    assert.equal(raisedBy === null, notRaisedBecause !== null, code);
    assert.ok((raisedBy ?? notRaisedBecause ?? '').length >= 12, `${code} says nothing`);
  }
});

function flagTables(): string {
  const raised = methodology.flags.filter((flag) => flag.notRaisedBecause === null);
  const missing = methodology.flags.filter((flag) => flag.notRaisedBecause !== null);
  return [
    `## Raised: ${raised.length} of ${methodology.flags.length}`,
    table(
      ['#', 'Flag', 'Severity', 'Condition', 'Thresholds', 'Needs', 'How it is raised', 'Cap', 'Cleared after'],
      raised.map((flag) => [
        ...headOf(flag),
        Object.entries(flag.thresholds)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
        flag.evidence,
        flag.raisedBy ?? '',
        capsOf(flag),
        clearingOf(flag),
      ]),
    ),
    `## Not raised: ${missing.length}`,
    table(
      ['#', 'Flag', 'Severity', 'Condition', 'Needs', 'Why not'],
      missing.map((flag) => [...headOf(flag), flag.evidence, flag.notRaisedBecause ?? '']),
    ),
  ].join('\n\n');
}

function headOf(flag: FlagDefinition): readonly string[] {
  return [String(flag.number), `\`${flag.code}\`<br>${flag.title}`, flag.severity, flag.definition];
}

function capsOf(flag: FlagDefinition): string {
  const caps = methodology.caps.filter((cap) => cap.flag === flag.code);
  return caps.map((cap) => `${cap.cap}: ${cap.condition}`).join('<br>');
}

function clearingOf(flag: FlagDefinition): string {
  if (flag.clearDays === 0) return 'at once';
  const days = `${flag.clearDays} days`;
  return flag.severity === 'critical' ? `${days}, at once when disproved` : days;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}
