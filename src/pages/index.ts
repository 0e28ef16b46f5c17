/** Pages for people about one rating: the listing dossier and the public page. Pure. */
export { dossierOf } from './dossier.ts';
export { dossierHtml, dossierMarkdown } from './dossier-text.ts';
export { appealHelpPage, messagePage, objectionPage, publicPage } from './public-page.ts';
export { PAGE_POLICY } from './shell.ts';
