import type { SourceBook } from '../evidence/index.ts';
import type { Methodology } from '../methodology/index.ts';
import type { Finding } from './finding.ts';
import { type EndpointVerdict, findingsOf, verdictsOf } from './judge.ts';
import type { Panel } from './panel.ts';
import { type Reading, type RequestTools, requestPanel } from './request-panel.ts';

export interface Proof {
  readonly at: string;
  readonly endpoints: readonly EndpointVerdict[];
  readonly readings: readonly Reading[];
  readonly findings: readonly Finding[];
}

/** Requests every endpoint about the assets of a panel and reports which are right, suspect, failed or unproven. */
export async function prove(tools: RequestTools, panel: Panel, methodology: Methodology): Promise<Proof> {
  const readings = await requestPanel(tools, panel);
  const findings = findingsOf(readings, methodology);
  return {
    at: new Date(tools.now()).toISOString(),
    endpoints: verdictsOf(sourcesOf(tools.book), readings, findings, (name) => tools.book.get(name)?.reason ?? null),
    readings,
    findings,
  };
}

function sourcesOf(book: SourceBook) {
  return [...book.values()].map((bound) => bound.source);
}
