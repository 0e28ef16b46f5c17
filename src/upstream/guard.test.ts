import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress, judgeUrl } from './guard.ts';

const REFUSED_URLS = [
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0/',
  'http://255.255.255.255/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://0251.0376.0251.0376/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://8.8.8.8/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fe80::1]/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://[fd00:ec2::254]/',
  'http://[fc00::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[2606:4700:4700::1111]/',
  'http://[v1.fe]/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://app.localhost/',
  'http://router/',
  'http://router./',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://metadata.google.internal./',
  'http://abcdefghij.onion/',
  'http://nas.home.arpa/',
  'http://1.0.0.127.in-addr.arpa/',
  'http://nas.lan/',
  'http://user@example.com/',
  'http://user:pass@example.com/',
  'http://@example.com/',
  'http://:@example.com/',
  'http://example.com:22/',
  'http://example.com:8080/',
  'https://example.com:0/',
  'http://example.com:99999/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.com/',
  'http:example.com',
  'http:///example.com',
  'http:\\\\example.com',
  'http://example.com\\@127.0.0.1/',
  'http://exa mple.com/',
  ' http://example.com/',
  'http://example.com/\u0000',
  'http://exam\tple.com/',
  'http://exam\nple.com/',
  'http://a..b.com/',
  'http://.example.com/',
  'http://./',
  'http://1.2.3/',
  'http://example.1/',
  `http://${'a'.repeat(64)}.com/`,
  `http://example.com/${'a'.repeat(2_048)}`,
  'not a url',
  '',
];

const PUBLIC_URLS = [
  'https://example.com/',
  'http://example.com',
  'https://example.com:443/x?y#z',
  'http://example.com:80/',
  'https://www.example.co.uk/',
  'HTTPS://EXAMPLE.COM/',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://_dmarc.example.com/',
  'https://127.0.0.1.nip.io/',
  'https://example.com./',
  'https://example.com/@user',
  'https://local.example.com/',
];

const PRIVATE_ADDRESSES = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2606:4700::5efe:7f00:1',
  '2130706433',
  '0x7f.1',
  'example.com',
  '',
];

const PUBLIC_ADDRESSES = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'];

describe('the address guard', () => {
  test('refuses every notation of an address, every name of a private network and every doubtful url', () => {
    const passed = REFUSED_URLS.filter((url) => judgeUrl(url).ok);
    assert.deepEqual(passed, []);
    assert.ok(REFUSED_URLS.length >= 60);
  });

  test('lets names of the public internet pass', () => {
    assert.deepEqual(
      PUBLIC_URLS.filter((url) => !judgeUrl(url).ok),
      [],
    );
  });

  test('knows addresses that are not globally reachable', () => {
    assert.deepEqual(PRIVATE_ADDRESSES.filter(isPublicAddress), []);
    assert.deepEqual(
      PUBLIC_ADDRESSES.filter((address) => !isPublicAddress(address)),
      [],
    );
  });

  test('a configured port is allowed and no other', () => {
    assert.equal(judgeUrl('http://example.com:8080/', [8080]).ok, true);
    assert.equal(judgeUrl('http://example.com/', [8080]).ok, false);
  });

  test('no spelling of an IPv4 address is accepted', () => {
    const part = (value: number, radix: number) =>
      radix === 16 ? `0x${value.toString(16)}` : radix === 8 ? `0${value.toString(8)}` : String(value);
    fc.assert(
      fc.property(
        fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
        fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('', '.'),
        ([a, b, c, d], radixes, count, dot) => {
          const whole = [a, b, c, d];
          const tail = whole.slice(count - 1).reduce((sum, value) => sum * 256 + value, 0);
          const spelled = [...whole.slice(0, count - 1), tail].map((value, i) => part(value, radixes[i] ?? 10));
          assert.equal(judgeUrl(`http://${spelled.join('.')}${dot}/`).ok, false);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('an IPv4 address inside an IPv6 one is never public', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'), (address, prefix) => {
        assert.equal(isPublicAddress(prefix + address), false);
      }),
    );
  });

  test('no text makes it throw, and an accepted one is a plain web address of a dotted name', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl({ withFragments: true }),
          fc.string().map((s) => `http://${s}`),
        ),
        (text) => {
          const judged = judgeUrl(text);
          if (!judged.ok) return;
          assert.match(judged.value.hostname, /^[a-z0-9._-]+\.[a-z0-9-]*[a-z][a-z0-9-]*\.?$/);
          assert.equal(judged.value.username + judged.value.password, '');
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
