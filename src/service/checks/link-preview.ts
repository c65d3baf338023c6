import type { Context } from '../context.ts';

/** Programs that open every link that somebody posts or publishes. They say so in nothing but their name. */
const linkPreviewBots =
	/facebookexternalhit|facebot|twitterbot|slackbot|slack-imgproxy|linkedinbot|telegrambot|discordbot|whatsapp\/|skypeuripreview|mattermost-bot|embedly|iframely|redditbot|pinterestbot|vkshare|kakaotalk-scrap|link[- ]?preview|googlebot|bingbot/i;

/** Whether this was fetched ahead or for a preview of a link, nobody having asked for it: nothing may be done for good then. */
export function isPrefetch(context: Context): boolean {
	const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => context.header(name) ?? '');
	return (
		/prefetch|prerender|preview/i.test(purposes.join(' ')) || linkPreviewBots.test(context.header('user-agent') ?? '')
	);
}
