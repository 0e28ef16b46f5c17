import { EVM_CHAINS } from '../chains/index.ts';
import type { CallContract } from '../disclosure/index.ts';
import { sourceFor } from '../domain/index.ts';
import { callNode } from '../snapshots/index.ts';
import { nodesOf } from './chain-reads.ts';
import type { Engine } from './engine.ts';

/** Gas limit of one call; a multisig with many signatures needs less. */
const MOST_GAS = 5_000_000;
const DEADLINE_MS = 8_000;

/** Operators that must give the same answer, where that many are configured. */
const OPERATORS = 2;

/**
 * Calls a view function of a contract at every node of its chain. A single node may lie, so all answers must be equal
 * and come from two operators; one answer is enough only where the single configured node is the operator's own. A
 * failure in the contract (a revert, no code, out of gas) gives null.
 */
export function callContractBy({ book, upstream }: Pick<Engine, 'book' | 'upstream'>): CallContract {
  return async (caip2, to, data) => {
    const chain = EVM_CHAINS.find((one) => one.caip2 === caip2);
    const nodes = chain === undefined ? [] : nodesOf(book, sourceFor('evm_node'), [chain.name, `${chain.name}_2`]);
    if (nodes.length === 0) return { ok: false, detail: 'the chain of the contract has no node here' };
    const params = [{ to, data, gas: `0x${MOST_GAS.toString(16)}` }, 'latest'];
    const replies = await Promise.all(
      nodes.map(async ({ node, own }) => {
        const reply = await callNode(upstream, node, 'eth_call', params, AbortSignal.timeout(DEADLINE_MS));
        return { host: new URL(node.url).host, own, reply };
      }),
    );
    const answers = replies.flatMap(({ reply, ...from }) => {
      if (!reply.ok) return reply.reason === 'reverted' ? [{ ...from, value: null }] : [];
      const isWord = typeof reply.value === 'string' && reply.value.length <= MOST_HEX;
      return [{ ...from, value: isWord ? String(reply.value).toLowerCase() : null }];
    });
    const [first] = answers;
    if (first === undefined) return { ok: false, detail: 'no node of the chain gave an answer' };
    if (answers.some(({ value }) => value !== first.value))
      return { ok: false, detail: 'the nodes of the chain do not agree' };
    const isSoleOwn = nodes.length === 1 && first.own;
    if (!isSoleOwn && new Set(answers.map(({ host }) => host)).size < OPERATORS)
      return { ok: false, detail: 'only one node of the chain gave an answer, and two of different operators must' };
    return { ok: true, value: first.value };
  };
}

/** Longest accepted result, in characters of hexadecimal: one word and a margin. */
const MOST_HEX = 1_000;
