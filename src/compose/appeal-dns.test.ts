import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolver, Upstream } from '../upstream/index.ts';
import { readTxtBy } from './appeal-dns.ts';

const BASES = { main: 'https://one.example/dns-query', second: 'https://two.example/resolve' };
const NAME = '_assay-appeal.project.com';

/** `zones`: what each resolver says, by its host; a host without a zone does not answer. */
function reading(zones: Record<string, readonly string[]>, addresses: readonly string[] = ['93.184.215.14']) {
  const asked: string[] = [];
  const upstream = {
    async request({ url }: { readonly url: string }) {
      asked.push(url);
      const data = zones[new URL(url).host];
      const body = { Status: 0, Answer: (data ?? []).map((text) => ({ type: 16, data: text })) };
      return data === undefined ? { ok: false } : { ok: true, body: new TextEncoder().encode(JSON.stringify(body)) };
    },
  } as unknown as Upstream;
  const resolver: Resolver = {
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    vouch: () => null,
  };
  const book = new Map([['doh', { bases: BASES }]]) as never;
  return { read: readTxtBy({ book, upstream }, resolver), asked };
}

test('a record counts when both resolvers have it, whether its text is in one part or several', async () => {
  const both = { 'one.example': ['"assay-appeal=ab" "cd"', '"v=spf1"'], 'two.example': ['assay-appeal=abcd'] };
  assert.deepEqual(await reading(both).read(NAME), { ok: true, value: ['assay-appeal=abcd'] });
  const deceived = { 'one.example': ['"assay-appeal=abcd"'], 'two.example': [] };
  assert.deepEqual(await reading(deceived).read(NAME), { ok: true, value: [] });
  assert.equal((await reading({ 'one.example': ['"assay-appeal=abcd"'] }).read(NAME)).ok, false);
});

test('a domain that resolves into a private network, or is not public, is refused before its records are read', async () => {
  const zones = { 'one.example': ['"x"'], 'two.example': ['"x"'] };
  for (const address of ['10.0.0.7', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.7']) {
    const { read, asked } = reading(zones, ['93.184.215.14', address]);
    assert.equal((await read(NAME)).ok, false, address);
    assert.deepEqual(asked, []);
  }
  for (const name of ['_assay-appeal.service.internal', '_assay-appeal.localhost', '_assay-appeal.10.0.0.1']) {
    const { read, asked } = reading(zones);
    assert.equal((await read(name)).ok, false, name);
    assert.deepEqual(asked, []);
  }
});
