import { EVM_CHAINS } from '../chains/index.ts';
import type { CallContract } from '../disclosure/index.ts';
import { sourceFor } from '../domain/index.ts';
import { callNode } from '../snapshots/index.ts';
import { nodesOf } from './chain-reads.ts';
import type { Engine } from './engine.ts';

/** Gas limit of one call; a multisig with many signatures needs less. */
const MOST_GAS = 5_000_000;
const DEADLINE_MS = 8_000;

/**
 * Calls a view function of a contract at every available node of its chain. All replies must be equal, because a single
 * node may lie. A failure in the contract (a revert, no code, out of gas) gives null.
 */
export function callContractBy({ book, upstream }: Pick<Engine, 'book' | 'upstream'>): CallContract {
  return async (caip2, to, data) => {
    const chain = EVM_CHAINS.find((one) => one.caip2 === caip2);
    const nodes =
      chain === undefined
        ? []
        : nodesOf(book, sourceFor('evm_node'), [chain.name, `${chain.name}_2`]).map(({ node }) => node);
    if (nodes.length === 0) return { ok: false, detail: 'the chain of the contract has no node here' };
    const params = [{ to, data, gas: `0x${MOST_GAS.toString(16)}` }, 'latest'];
    const replies = await Promise.all(
      nodes.map((node) => callNode(upstream, node, 'eth_call', params, AbortSignal.timeout(DEADLINE_MS))),
    );
    const answers = replies.flatMap((reply) => {
      if (!reply.ok) return reply.reason === 'reverted' ? [null] : [];
      return typeof reply.value === 'string' && reply.value.length <= MOST_HEX ? [reply.value.toLowerCase()] : [null];
    });
    const [first = null] = answers;
    if (answers.length === 0) return { ok: false, detail: 'no node of the chain gave an answer' };
    if (answers.some((answer) => answer !== first)) return { ok: false, detail: 'the nodes of the chain do not agree' };
    return { ok: true, value: first };
  };
}

/** Longest accepted result, in characters of hexadecimal: one word and a margin. */
const MOST_HEX = 1_000;
