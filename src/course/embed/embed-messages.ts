/** The version of the messages. A change that breaks a parent gets another one. */
export const embedVersion = 1;

/** What an embedded page tells the page that embeds it. */
export type EmbedEvent =
	/** The page is shown and can be used. */
	| { readonly type: 'ready'; readonly page: 'lesson' | 'demo' | 'moment'; readonly name?: string }
	/** The height of its content in CSS pixels. */
	| { readonly type: 'resized'; readonly height: number }
	/** So many steps of a lesson were done, or of a demo opened. */
	| { readonly type: 'step'; readonly step: number; readonly of: number }
	/** The share of the steps that the learner did, from 0 to 100. Steps that Tollgate did count nothing. */
	| { readonly type: 'score'; readonly score: number }
	/** The lesson or the demo is complete. Once. */
	| { readonly type: 'completed' };

/** A message, as the parent receives it in `event.data`. */
export type EmbedMessage = EmbedEvent & { readonly source: 'tollgate'; readonly version: typeof embedVersion };

/** Where the progress of an embedded page goes. */
export type EmbedReport = (event: EmbedEvent) => void;

/** The part of a window that is used. */
type Window = {
	postMessage(message: EmbedMessage, targetOrigin: string): void;
};

/**
 * Sends events to the parent. The browser delivers each only to a page of the named origin, so a page of another one learns nothing.
 * @param origins that may embed
 * @param known the origin of the parent, if the browser says it
 */
export function parentReport(parent: Window, origins: readonly string[], known?: string): EmbedReport {
	const targets = known === undefined ? origins : origins.filter((origin) => origin === known);
	return (event) => {
		for (const origin of targets) parent.postMessage({ source: 'tollgate', version: embedVersion, ...event }, origin);
	};
}

/**
 * The theme that a message of the parent asks for. Nothing else that a parent sends has an effect.
 * @param isParent whether the parent's window sent it
 * @returns undefined for any other message
 */
export function themeOf(
	{ data, origin }: Pick<MessageEvent<unknown>, 'data' | 'origin'>,
	origins: readonly string[],
	isParent: boolean
): 'light' | 'dark' | undefined {
	if (!isParent || !origins.includes(origin) || typeof data !== 'object' || data === null) return undefined;
	if (!('type' in data) || data.type !== 'tollgate:theme' || !('theme' in data)) return undefined;
	return data.theme === 'light' || data.theme === 'dark' ? data.theme : undefined;
}

/**
 * The origin of the page that embeds this one, where the browser tells it.
 * @param ancestors `location.ancestorOrigins`, the nearest first
 * @param referrer `document.referrer`
 */
export function parentOrigin(ancestors: ArrayLike<string> | undefined, referrer: string): string | undefined {
	return ancestors?.[0] ?? (URL.canParse(referrer) ? new URL(referrer).origin : undefined);
}
