import type { Hex } from '../chains/index.ts';
import { createEvmReader, describeContract, type EvmRecording, recordReads } from '../snapshots/index.ts';
import type { Engine } from './engine.ts';

/** Reads a contract from one node of the caller's choice; the recording gives the same description again without it. */
export async function recordContract(
  engine: Engine,
  url: string,
  chain: string,
  address: Hex,
): Promise<
  | {
      readonly ok: true;
      readonly value: { readonly description: Readonly<Record<string, unknown>>; readonly recording: EvmRecording };
    }
  | { readonly ok: false; readonly detail: string }
> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { ok: false, detail: '--rpc must be a http or https url' };
  const node = { label: 'decode_rpc', url, secretHeaders: {}, secretQuery: [] };
  engine.upstream.setBudget(node.label, { perMinute: 6_000, burst: 100, concurrency: 8, shareSeconds: 0 });
  const recorder = await recordReads(createEvmReader(engine.upstream, [node]), address);
  if (recorder === null) return { ok: false, detail: 'the node did not tell its newest block' };
  const described = await describeContract(recorder.reader, chain, address);
  if (!described.ok) return { ok: false, detail: `${described.reason}: ${described.detail}` };
  return { ok: true, value: { description: described.value, recording: recorder.recording() } };
}
