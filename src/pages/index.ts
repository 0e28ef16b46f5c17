/** Pages for people about one rating: the listing dossier and the public page. Pure. */
export { dossierOf } from './dossier.ts';
export { dossierHtml, dossierMarkdown } from './dossier-text.ts';
export { MUTE_CHOICES, MUTE_DAYS, mutedPage, mutePage } from './mute-page.ts';
export { appealHelpPage, messagePage, noPage, objectionPage, publicPage } from './public-page.ts';
export { PAGE_POLICY } from './shell.ts';
