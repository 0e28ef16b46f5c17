import { type Finding, good, wrong } from './finding.ts';

/** The Node that runs us against the one that npm installs (both as `26.10.0`). */
export function checkRuntime(running: string, wanted: string): Finding {
  const major = (version: string) => Number(version.replace(/^v/, '').split('.')[0]);
  if (major(running) >= major(wanted)) return good('node', `Node ${running}`);
  return wrong(
    'node',
    `this is Node ${running}; Assay is written for ${wanted}, which npm installs beside it`,
    'start it with `npm start` or `npx assay`, not with the node of the machine; when it is missing, run `npm ci`',
  );
}
