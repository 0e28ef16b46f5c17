import type { SiteFact } from '../../../domain/index.ts';
import { type FactPage, factOf, isPlan, sentencesOf } from './fact-page.ts';

const MAINNET = /\bmain ?net\b.{0,40}\b(?:live|launched|beta)\b|\b(?:live|launched|beta)\b.{0,30}\bmain ?net\b/i;
const TESTNET =
  /\b(?:test ?net|devnet)\b.{0,60}\b(?:live|open|running|public|launched|join)\b|\b(?:live|open|public|join)\b.{0,40}\btest ?net\b/i;
const CLOSED = /\b(?:closed|private|invite[- ]only)\s+(?:alpha|beta|test ?net)\b|\bwait ?list\b/i;
const IN_OTHER_LANGUAGES: readonly (readonly [string, RegExp])[] = [
  ['mainnet_beta', /mainnet.{0,20}(?:läuft|en vivo|en ligne|запущен)|主网.{0,8}(?:上线|运行)|メインネット.{0,8}稼働/iu],
  [
    'public_testnet',
    /testnet.{0,20}(?:offen|läuft|abierta|abierto|ouvert|en ligne|открыт|запущен)|测试网.{0,8}(?:上线|开放)|テストネット.{0,8}(?:公開|稼働)/iu,
  ],
];
/** Where a product can be tried: a button's words, or a name in front of the project's own domain. */
const WAY_IN = /\b(?:launch|open|enter|try) (?:the )?(?:app|test ?net|demo)\b|\b(?:explorer|faucet)\b/i;
const WAY_IN_HOST = /^https?:\/\/(?:app|testnet|explorer|faucet|play|beta)\./i;
const USERS =
  /(\d[\d,.]{0,12})\s*(k|m|thousand|million)?\+?\s+(?:(?:active|unique|daily|monthly|weekly|testnet|distinct)\s+){0,3}(?:users|wallets|addresses|testers|participants|players)\b/i;
const SCALE: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6 };

/** What runs today, where it can be tried, and who uses the test network. */
export function productOn(page: FactPage): readonly (SiteFact | null)[] {
  const way = wayIn(page);
  const facts: (SiteFact | null)[] = [];
  for (const { text, block } of sentencesOf(page)) {
    const [users, multiple] = USERS.exec(text)?.slice(1) ?? [];
    if (users !== undefined && /test ?net|alpha|beta|game/i.test(text) && !isPlan(text))
      facts.push(
        factOf(page, 'testnet_users', text, {
          value: numberIn(users) * (SCALE[(multiple ?? '').toLowerCase()] ?? 1),
          link: block.links.find((link) => link.isForeign)?.url ?? null,
        }),
      );
    const state = stateIn(text);
    if (state !== null) facts.push(factOf(page, 'product', text, { value: state, link: way }));
  }
  return facts;
}

function stateIn(sentence: string): string | null {
  if (isPlan(sentence)) return CLOSED.test(sentence) ? 'closed' : null;
  if (CLOSED.test(sentence)) return 'closed';
  if (MAINNET.test(sentence)) return 'mainnet_beta';
  if (TESTNET.test(sentence)) return 'public_testnet';
  return IN_OTHER_LANGUAGES.find(([, pattern]) => pattern.test(sentence))?.[0] ?? null;
}

function wayIn(page: FactPage): string | null {
  const own = page.links.filter((link) => !link.isForeign);
  return (own.find((link) => WAY_IN_HOST.test(link.url)) ?? own.find((link) => WAY_IN.test(link.label)))?.url ?? null;
}

/** `1,250.5` to 1250.5; 0 when it is no number. */
export function numberIn(digits: string): number {
  const value = Number(digits.replace(/[, ]/g, '').replace(/\.$/, ''));
  return Number.isFinite(value) ? value : 0;
}
