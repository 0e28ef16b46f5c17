import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostNamed, siteNameOf, UNREAD } from './sites.ts';

const named = (title: string | null, siteName: string | null = null, domain = 'fernwood.example') =>
  siteNameOf({ ...UNREAD, read: true, title, siteName }, domain);

it('a project has the name that its own site uses', () => {
  assert.equal(named('Lending for all | Fernwood', 'Fernwood Labs'), 'Fernwood Labs');
  assert.equal(named('Lending for all | Fernwood'), 'Fernwood');
  assert.equal(named('Fernwood: Testnet'), 'Fernwood');
  assert.equal(named('Home - Greyline'), 'Greyline');
  assert.equal(named('Greyline – credit for everybody · beta'), 'Greyline');
});

it('page titles, empty texts and very long texts are not names', () => {
  for (const title of [null, '', 'Home', 'Welcome | Official site', '!!', '\u202e\u0007'])
    assert.equal(named(title), null, String(title));
  assert.ok((named(`Fern${'x'.repeat(5_000)}`)?.length ?? 0) <= 80);
  assert.equal(named('Home', '   '), null);
});

it('the host is that of most registries, then the bare domain; market profiles count where no registry names one', () => {
  const vote = (family: string, host: string, curated = true) => ({ family, curated, host });
  assert.equal(
    hostNamed('fern.example', [
      vote('a', 'app.fern.example'),
      vote('b', 'www.fern.example'),
      vote('c', 'www.fern.example'),
    ]),
    'www.fern.example',
  );
  assert.equal(hostNamed('fern.example', [vote('a', 'www.fern.example'), vote('b', 'fern.example')]), 'fern.example');
  assert.equal(
    hostNamed('fern.example', [
      vote('a', 'fern.example'),
      vote('m', 'buy.fern.example', false),
      vote('n', 'buy.fern.example', false),
    ]),
    'fern.example',
  );
  assert.equal(hostNamed('fern.example', [vote('m', 'app.fern.example', false)]), 'app.fern.example');
  assert.equal(hostNamed('fern.example', [vote('a', 'fern.example.evil.example'), vote('b', 'notfern.example')]), null);
});
