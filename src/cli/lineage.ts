import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import canonicalize from 'canonicalize';
import type { LineagePair, LineageReport } from '../consensus/index.ts';
import { counted } from '../domain/index.ts';
import type { SourceTools, Terminal } from './context.ts';

/** With fewer decided items, the report states that it is hardly conclusive. */
const FEW_ITEMS = 200;

/** `assay sources lineage`: sources with correlated errors, compared with the declared lineage groups. Read-only. */
export async function lineage(
  tools: SourceTools,
  terminal: Terminal,
  wanted: { readonly jobs: number; readonly out?: string | undefined; readonly json?: boolean | undefined },
): Promise<number> {
  const report = await tools.lineage({ jobs: wanted.jobs });
  const text = `${canonicalize(report)}\n`;
  if (wanted.out !== undefined) await writeFile(wanted.out, text);
  if (wanted.json) terminal.out(text.trimEnd());
  else for (const line of linesOf(report)) terminal.out(line);
  if (wanted.out !== undefined)
    terminal.err(`written to ${wanted.out}, SHA-256 ${createHash('sha256').update(text).digest('hex')}`);
  return 0;
}

function linesOf({ archive, edges, declared, assumed, copying }: LineageReport): readonly string[] {
  const apart = declared.filter(({ verdict }) => verdict === 'apart');
  const confirmed = declared.filter(({ verdict }) => verdict === 'confirmed');
  return [
    `${counted(archive.collections, 'collection')}${archive.from === null ? '' : ` from ${archive.from} to ${archive.to}`}: ${counted(archive.items, 'figure')} that several sources state, ${archive.decided} of them decided`,
    ...(archive.decided < FEW_ITEMS
      ? [`Fewer than ${FEW_ITEMS} decided figures: dependences that are not found here may still exist.`]
      : []),
    '',
    `Wrong together, beyond what other pairs explain: ${counted(edges.length, 'pair')}`,
    ...edges.map((pair) => `  ${pairLine(pair)}`),
    `Declared as one lineage group: ${counted(declared.length, 'pair')}, ${confirmed.length} confirmed by shared errors, ${apart.length} wrong apart`,
    ...apart.map((pair) => `  ${pairLine(pair)}; proposed: two lineage groups`),
    ...(assumed.some(({ measured }) => measured !== null) ? ['Correlations that the methodology assumes:'] : []),
    ...assumed
      .filter(({ measured }) => measured !== null)
      .map(({ families, rho, measured }) => `  ${families.join(', ')}: assumed ${rho}, measured ${measured}`),
    '',
    copying.length === 0
      ? 'No change is proposed: no two lineage groups were wrong together.'
      : 'Proposed for consensus.copying of the methodology (docs/lineage.md); nothing is in force until it is added there:',
    ...copying.map((row) => `  ${JSON.stringify(row)}`),
  ];
}

function pairLine({ units, items, bothWrong, shared, expected, rho }: LineagePair): string {
  return `${units.join(' and ')}: the same wrong figure ${counted(shared, 'time')} of the ${bothWrong} that both were wrong (by chance ${expected.toFixed(1)}), of ${counted(items, 'figure')}; correlation ${rho ?? 'unknown'}`;
}
