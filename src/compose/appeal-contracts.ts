import { EVM_CHAINS } from '../chains/index.ts';
import type { CallContract } from '../disclosure/index.ts';
import { sourceFor } from '../domain/index.ts';
import { callNode } from '../snapshots/index.ts';
import { nodesOf } from './chain-reads.ts';
import type { Engine } from './engine.ts';

/** Gas of one call: many signatures of a multisig take less. */
const MOST_GAS = 5_000_000;
const DEADLINE_MS = 8_000;

/**
 * A view call of a contract by every node of its chain that answers. They must agree: one node that lies proves nothing. What fails
 * in the contract (a revert, no code, all gas used) is null.
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

/** A word and room; the rest of a longer reply is of no use. */
const MOST_HEX = 1_000;
