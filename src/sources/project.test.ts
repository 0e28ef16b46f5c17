import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { doh } from './doh.ts';
import { endpointOf, facts, observe, outcome } from './fixtures/project-drive.ts';
import { read } from './fixtures/read-reply.ts';
import { rdap, rdapServerOf } from './rdap.ts';
import { tls } from './tls.ts';

describe('RDAP', () => {
  const bootstrap = {
    services: [
      [
        ['com', 'net'],
        ['http://plain.example/', 'https://rdap.registry.example/com/v1/'],
      ],
      [['EXAMPLE'], ['https://rdap.example/']],
      [['old'], ['http://only-plain.example/']],
    ],
  };

  it('requests the server that the bootstrap file names, by https only', () => {
    assert.equal(rdapServerOf(bootstrap, 'fernwood.com'), 'https://rdap.registry.example/com/v1/');
    assert.equal(rdapServerOf(bootstrap, 'fernwood.example'), 'https://rdap.example/');
    assert.equal(rdapServerOf(bootstrap, 'fernwood.old'), null);
    assert.equal(rdapServerOf(bootstrap, 'fernwood.de'), null);
    for (const junk of [null, {}, { services: 'x' }, { services: [null, [1], [['com']], [['com'], 'x']] }])
      assert.equal(rdapServerOf(junk, 'a.com'), null);
    const url = endpointOf(rdap, 'domain').request({
      domain: 'fernwood.com',
      server: 'https://rdap.registry.example/com/v1/',
    }).url;
    assert.equal(url, 'https://rdap.registry.example/com/v1/domain/fernwood.com');
  });

  it('is not requested for a shared host', () => {
    assert.deepEqual(endpointOf(rdap, 'bootstrap').plan(facts({ registrableDomain: null })), []);
  });

  it('reads registration, expiry, registrar and signing', () => {
    const seen = observe(rdap, 'domain', {
      events: [
        { eventAction: 'last changed', eventDate: '2026-01-01T00:00:00Z' },
        { eventAction: 'registration', eventDate: '2019-05-06T07:08:09Z' },
        { eventAction: 'expiration', eventDate: '2027-05-06T07:08:09Z' },
      ],
      secureDNS: { delegationSigned: true },
      entities: [
        { roles: ['abuse'] },
        {
          roles: ['registrar'],
          vcardArray: [
            'vcard',
            [
              ['version', {}, 'text', '4.0'],
              ['fn', {}, 'text', 'Name Shop\u202e LLC'],
            ],
          ],
        },
      ],
    });
    assert.deepEqual(
      [
        seen.domain_registered_at?.value,
        seen.domain_expires_at?.value,
        seen.domain_registrar?.value,
        seen.dnssec?.value,
      ],
      ['2019-05-06T07:08:09.000Z', '2027-05-06T07:08:09.000Z', 'Name Shop LLC', true],
    );
    assert.deepEqual(observe(rdap, 'domain', {}), {});
  });

  it('one part that is not as the standard has it does not cost the others', () => {
    const events = [{ eventAction: 'registration', eventDate: '2019-04-01T08:00:00Z' }];
    const registered = '2019-04-01T08:00:00.000Z';
    // Seen at registries: null among the entities, a role as text, an event without an action, a boolean as text.
    const card = ['vcard', [['fn', {}, 'text', 'Fern Names']]];
    const odd = {
      events: [null, { eventDate: '2020-01-01T00:00:00Z' }, ...events],
      entities: [null, { roles: 'registrar', vcardArray: card }],
      secureDNS: { delegationSigned: 'true' },
    };
    const said = (reply: object) => {
      const { drafts } = read('rdap', 'domain', { domain: 'fernwood.example' }, reply);
      return Object.fromEntries(drafts.map(({ quantity, value }) => [quantity, value]));
    };
    assert.deepEqual(said(odd), { domain_registered_at: registered, domain_registrar: 'Fern Names', dnssec: true });
    assert.deepEqual(said({ events, entities: null, secureDNS: null }), { domain_registered_at: registered });
  });

  it('a published key proves that a domain is signed where the server does not say it', () => {
    const dnssec = (secureDNS: object) =>
      read('rdap', 'domain', { domain: 'fernwood.example' }, { secureDNS }).say('dnssec');
    assert.equal(dnssec({ keyData: [{ flags: 257 }] }), true);
    assert.equal(dnssec({ dsData: [{ keyTag: 31_406 }], delegationSigned: null }), true);
    for (const bare of [{}, { keyData: [] }, { dsData: null }, { delegationSigned: '' }])
      assert.equal(dnssec(bare), undefined, JSON.stringify(bare));
    assert.equal(dnssec({ delegationSigned: false, keyData: [{ flags: 257 }] }), false);
    assert.equal(dnssec({ delegationSigned: 'false' }), false);
  });
});

describe('DNS over HTTPS', () => {
  it('sends both operators the same requests', () => {
    const plans = endpointOf(doh, 'records').plan(facts());
    assert.equal(plans.length, 6);
    assert.deepEqual(new Set(plans.map((params) => params.base)), new Set(['main', 'second']));
    assert.ok(plans.some((params) => params.name === '_dmarc.fernwood.example'));
    assert.deepEqual(endpointOf(doh, 'records').plan(facts({ registrableDomain: null })), []);
  });

  it('gives each operator’s reply as its own observation', () => {
    const reply = { Status: 0, AD: true, Answer: [{ type: 1, data: '192.0.2.1' }] };
    assert.equal(observe(doh, 'records', reply, { base: 'main', type: 'A' }).domain_resolves?.family, 'dns_main');
    assert.equal(observe(doh, 'records', reply, { base: 'second', type: 'A' }).domain_resolves?.family, 'dns_second');
    assert.equal(observe(doh, 'records', reply, { base: 'main', type: 'A' }).dnssec?.value, true);
  });

  it('does not call a name dead that merely has no address at its apex', () => {
    assert.equal(observe(doh, 'records', { Status: 0 }, { base: 'main', type: 'A' }).domain_resolves, undefined);
    assert.equal(observe(doh, 'records', { Status: 3 }, { base: 'main', type: 'A' }).domain_resolves?.value, false);
  });

  it('reads a mail policy that is quoted and split', () => {
    const policy = (data: string) =>
      observe(doh, 'records', { Status: 0, Answer: [{ type: 16, data }] }, { base: 'main', type: 'TXT' }).dmarc_policy
        ?.value;
    assert.equal(policy('"v=DMARC1; p=quarantine; rua=mailto:x@y.example"'), 'quarantine');
    assert.equal(policy('"v=DMARC1; sp=none; p=re" "ject"'), 'reject');
    assert.equal(policy('"v=spf1 -all"'), 'none');
    assert.equal(
      observe(doh, 'records', { Status: 0, Answer: [{ type: 15, data: '10 mail.' }] }, { base: 'main', type: 'MX' })
        .mx_present?.value,
      true,
    );
  });

  it('treats a failing resolver as a failure, not as absence', () => {
    assert.equal(outcome(doh, 'records', { Status: 2 }, 200), 'error_reply');
    assert.equal(outcome(doh, 'records', { Status: 3 }, 200), 'ok');
  });
});

describe('TLS', () => {
  it('looks at the project’s own host, never at a platform’s', () => {
    assert.deepEqual(endpointOf(tls, 'certificate').plan(facts()), [{ host: 'app.fernwood.example' }]);
    for (const websiteUrl of ['https://x.com/fernwood', 'https://t.me/fernwood', 'nonsense', null])
      assert.deepEqual(endpointOf(tls, 'certificate').plan(facts({ websiteUrl })), []);
    assert.deepEqual(endpointOf(tls, 'certificate').plan(facts({ websiteUrl: 'https://fernwood.github.io/' })), [
      { host: 'fernwood.github.io' },
    ]);
  });

  it('states whether chain and name are valid', () => {
    const seen = observe(tls, 'certificate', {
      authorized: false,
      authorizationError: 'CERT_HAS_EXPIRED',
      notBefore: 'Jan  1 00:00:00 2025 GMT',
      notAfter: null,
      issuer: 'Test CA',
    });
    assert.deepEqual(
      [seen.tls_valid?.value, seen.tls_not_before?.value, seen.tls_issuer?.value],
      [false, '2025-01-01T00:00:00.000Z', 'Test CA'],
    );
  });
});
