/** Places inside that nobody outside may make us call, each as IPv4. */
const INNER: Readonly<Record<string, readonly [number, number, number, number]>> = {
  loopback: [127, 0, 0, 1],
  'loopback, another': [127, 8, 9, 10],
  unspecified: [0, 0, 0, 0],
  'this network': [0, 1, 2, 3],
  metadata: [169, 254, 169, 254],
  'container metadata': [169, 254, 170, 2],
  'ten network': [10, 0, 0, 1],
  'office network': [172, 16, 5, 4],
  'home network': [192, 168, 1, 1],
  'carrier network': [100, 64, 0, 1],
  'Alibaba metadata': [100, 100, 100, 200],
  'Azure wire server': [168, 63, 129, 16],
  'benchmark network': [198, 18, 0, 1],
  multicast: [224, 0, 0, 1],
  broadcast: [255, 255, 255, 255],
};

const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const octal = (value: number, digits = 0) => value.toString(8).padStart(digits, '0');

type Octets = readonly [number, number, number, number];
const whole = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d;
const pair = ([a, b, c, d]: Octets) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const fullWidth = (text: string) => text.replace(/[0-9]/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
const circled = (text: string) => text.replace(/[1-9]/g, (digit) => String.fromCharCode(0x245f + Number(digit)));

/** How one address may be written in the place of a host. */
const NOTATIONS: readonly ((octets: Octets) => string)[] = [
  (o) => o.join('.'),
  (o) => `${o.join('.')}.`,
  (o) => String(whole(o)),
  (o) => `0x${hex(whole(o), 8)}`,
  (o) => `0${octal(whole(o))}`,
  (o) => o.map((value) => `0x${hex(value)}`).join('.'),
  (o) => o.map((value) => `0${octal(value, 3)}`).join('.'),
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `0x${hex(a)}.${b}.0${octal(c)}.${d}`,
  (o) => fullWidth(o.join('.')),
  (o) => circled(o.join('.')),
  (o) => o.join('\u3002'),
  (o) => o.join('.').replace(/\d/, (digit) => `%${hex(digit.charCodeAt(0))}`),
  (o) => `[::ffff:${o.join('.')}]`,
  (o) => `[::ffff:${pair(o)}]`,
  (o) => `[::${pair(o)}]`,
  (o) => `[64:ff9b::${pair(o)}]`,
  (o) => `[64:ff9b:1::${pair(o)}]`,
  (o) => `[2002:${pair(o)}::]`,
  (o) =>
    `[2001:0:4136:e378:8000:63bf:${o
      .map((value) => hex(255 - value, 2))
      .join('')
      .replace(/(.{4})/, '$1:')}]`,
  (o) => `[2606:4700::5efe:${pair(o)}]`,
];

const LITERALS = [
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[::1%lo]',
  '[fec0::1]',
];
const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'loopback',
  'metadata',
  'metadata.google.internal',
  'metadata.google.internal.',
  'instance-data',
  'instance-data.ec2.internal',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  'host.docker.internal',
  'gateway.docker.internal',
  'router.lan',
  'printer.local',
  'db.corp',
  'wiki.intranet',
  'nas.home',
  'nas.home.arpa',
  'x.private',
  'xyzabc.onion',
  '1.0.0.127.in-addr.arpa',
  'ｌｏｃａｌｈｏｓｔ',
  'loc\u00adalhost',
  'local\u200bhost',
];
/** Names that a stranger's own name service leads inside. */
export const LED_INSIDE: Readonly<Record<string, readonly string[]>> = {
  'a-record.attacker.example': ['127.0.0.1'],
  'aaaa-record.attacker.example': ['::1'],
  'mapped.attacker.example': ['::ffff:127.0.0.1'],
  'cname.attacker.example': ['169.254.169.254'],
  'mixed.attacker.example': ['93.184.216.34', '127.0.0.1'],
  'private.attacker.example': ['10.0.0.1'],
  'zero.attacker.example': ['0.0.0.0'],
  'carrier.attacker.example': ['100.64.0.1'],
  'nat64.attacker.example': ['64:ff9b::7f00:1'],
  '6to4.attacker.example': ['2002:7f00:1::'],
  'zoned.attacker.example': ['fe80::1%lo'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
};

/** Urls that must lead nowhere: whole ones, `port` being one that listens on loopback. */
export function ssrfCorpus(port: number): readonly string[] {
  const hosts = [
    ...Object.values(INNER).flatMap((octets) => NOTATIONS.map((write) => write(octets))),
    ...LITERALS,
    ...NAMES,
  ];
  const atPorts = [...LITERALS.slice(0, 3), ...NAMES.slice(0, 4), ...NOTATIONS.map((write) => write([127, 0, 0, 1]))];
  return [
    ...new Set([
      ...hosts.map((host) => `http://${host}/`),
      ...atPorts.map((host) => `http://${host}:${port}/`),
      ...atPorts.map((host) => `https://${host}:${port}/`),
      ...Object.keys(LED_INSIDE).flatMap((name) => [`http://${name}/`, `https://${name}/`, `http://${name}:${port}/`]),
      ...oddForms(port),
    ]),
  ];
}

function oddForms(port: number): readonly string[] {
  const inner = `127.0.0.1:${port}`;
  return [
    `http://tidewell.example@${inner}/`,
    `http://tidewell.example:80@${inner}/`,
    `http://user:pass@tidewell.example/`,
    `http://@${inner}/`,
    `http://${inner}#@tidewell.example/`,
    `http://${inner}?@tidewell.example/`,
    `http://${inner}\\@tidewell.example/`,
    `http:\\\\${inner}\\`,
    `http:${inner}`,
    `http:/${inner}/`,
    `http:///${inner}/`,
    `//${inner}/`,
    `/\\${inner}/`,
    ` http://${inner}/`,
    `http://${inner}/ `,
    `http://127.0.0.1\t:${port}/`,
    `ht\ntp://${inner}/`,
    `http://${inner}/\r\nhost: tidewell.example\r\n\r\n`,
    `http://tidewell.example\r\nx: y/`,
    `http://tidewell.example%00.${inner}/`,
    `http://tidewell.example%2f@${inner}/`,
    `http://tidewell.example:${port}/`,
    'http://tidewell.example:22/',
    'http://tidewell.example:6379/',
    'http://tidewell.example:0/',
    'http://tidewell.example:65536/',
    'https://tidewell.example:5432/',
    `file:///etc/passwd`,
    `file://${inner}/x`,
    `ftp://${inner}/`,
    `gopher://${inner}/_INFO`,
    `dict://${inner}/info`,
    `ldap://${inner}/`,
    `tftp://${inner}/`,
    `jar:http://${inner}!/`,
    `netdoc:///etc/passwd`,
    `ws://${inner}/`,
    `unix:///var/run/docker.sock`,
    `data:text/html,<script>fetch('http://${inner}')</script>`,
    `javascript:fetch('http://${inner}')`,
    `blob:http://${inner}/x`,
    `view-source:http://${inner}/`,
    'http://1.1.1.1/',
    'http://[2606:4700:4700::1111]/',
    'http://example/',
    'http://./',
    'http://../',
    'http://a..example/',
    `http://${'a'.repeat(64)}.example/`,
    `http://${'a.'.repeat(130)}example/`,
    `http://tidewell.example/${'a'.repeat(3_000)}`,
    'http://xn--a/',
    'http://-.example.1/',
    '',
  ];
}
