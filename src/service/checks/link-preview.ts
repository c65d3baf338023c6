import type { Context } from '../core/context.ts';

/** Bots that open posted links, known only by their user agent. */
const linkPreviewBots =
	/facebookexternalhit|facebot|twitterbot|slackbot|slack-imgproxy|linkedinbot|telegrambot|discordbot|whatsapp\/|skypeuripreview|mattermost-bot|embedly|iframely|redditbot|pinterestbot|vkshare|kakaotalk-scrap|link[- ]?preview|googlebot|bingbot/i;

/** Whether a request is a prefetch or a link preview. It must change nothing, because no user asked for it. */
export function isPrefetch(context: Context): boolean {
	const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => context.header(name) ?? '');
	return (
		/prefetch|prerender|preview/i.test(purposes.join(' ')) || linkPreviewBots.test(context.header('user-agent') ?? '')
	);
}
