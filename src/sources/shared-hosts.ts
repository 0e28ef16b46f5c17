/**
 * Hosts on which many projects, or pages that no project writes, have a place: social networks, launch pads, indexes, site builders, link
 * pages, shops, news. Such a domain does not identify a project, and its age and settings are not the project's (recorded: websites of
 * tokens on nytimes.com, malaymail.com, apps.apple.com).
 */
export const SHARED_HOSTS: readonly string[] = `
allmylinks.com amazon.com apnews.com apple.com archive.org arweave.net axiom.trade bags.fm bbc.co.uk bbc.com
beacons.ai believe.app bio.link birdeye.so bit.ly bitbucket.org bitcointalk.org bloomberg.com bonk.fun
bsky.app bullx.io carrd.co change.org cnn.com coingecko.com coinmarketcap.com cutt.ly defillama.com
dexscreener.com discord.com discord.gg discord.me dropbox.com dune.com durable.co eth.limo facebook.com
fandom.com farcaster.xyz firebaseapp.com fleek.co forbes.com forms.gle four.meme foxnews.com framer.website
geckoterminal.com ghost.io giphy.com gitbook.io github.com github.io gitlab.com glitch.me gmgn.ai
godaddysites.com gofundme.com google.com guild.xyz hackmd.io herokuapp.com hostingersite.com imdb.com
imgur.com instagram.com ipfs.io jimdosite.com jsdelivr.net kick.com knowyourmeme.com letsbonk.fun line.me
linkedin.com linktr.ee lnk.bio medium.com mirror.xyz moonshot.money mypinata.cloud mystrikingly.com
netlify.app notion.site notion.so nypost.com nytimes.com opensea.io pages.dev paragraph.com paragraph.xyz
patreon.com pinata.cloud pinterest.com pump.fun quora.com reddit.com reuters.com rumble.com shopify.com
site123.me snapshot.box snapshot.org solo.to soundcloud.com sourceforge.net spotify.com squarespace.com
strikingly.com substack.com sunpump.meme super.site t.co t.me tally.so taplink.cc telegram.me tenor.com
theguardian.com threads.com threads.net tiktok.com tilda.ws tinyurl.com truthsocial.com tumblr.com twitch.tv
twitter.com typeform.com ukit.me vercel.app vk.com warpcast.com washingtonpost.com web.app webador.com
webflow.io webnode.page weebly.com weibo.com whatsapp.com whitehouse.gov wikipedia.org wix.com wixsite.com
wordpress.com wsj.com x.com youtube.com zealy.io zyrosite.com
`
  .trim()
  .split(/\s+/);
