import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpcFault } from './json-rpc.ts';

test('a call that a node rejects is a fault of this call: the next node is tried, and the call may be repeated later', () => {
  assert.equal(rpcFault({ code: -32602, message: 'invalid params' }).reason, 'unreachable');
  assert.equal(rpcFault({ code: -32601, message: 'the method does not exist' }).reason, 'refused');
  assert.equal(rpcFault({ code: 403, message: 'no' }).reason, 'refused');
});

test('text from a node is never passed on', () => {
  for (const message of ['execution reverted at http://10.0.0.7/?key=secret', 'block range: secret', 'secret'])
    assert.doesNotMatch(rpcFault({ code: -32000, message, data: 'secret' }).detail, /secret|10\.0/);
});
