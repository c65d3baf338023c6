import type { Compared, Message } from './message.ts';

/** What the page of a site shows. */
export type View = {
	/** The name of the site. */
	readonly site: string;
	/** The user who is signed in there. */
	readonly user?: string | undefined;
	readonly heading?: string;
	readonly text?: string;
	readonly items?: readonly { readonly title: string; readonly text: string }[];
	/** What the user can open. Without a URL: nothing yet. */
	readonly action?: { readonly label: string; readonly url: string | undefined; readonly hint?: string };
	/** Whether the site rejected what the browser sent. */
	readonly isRejected?: boolean;
};

/** What a site got back for a request that it sent. */
export type BackResponse = {
	readonly status: number;
	readonly body: unknown;
	/** The user of the token, as the service recorded it. Responses do not tell it. */
	readonly username: string | undefined;
};

/** A request that a site sends. */
export type BackRequest = {
	readonly method: 'GET' | 'POST';
	readonly url: string;
	readonly form?: Readonly<Record<string, string>>;
	readonly authorization?: string;
	readonly headers?: readonly (readonly [name: string, value: string])[];
};

export type SiteRequest = {
	readonly method: string;
	readonly url: URL;
	readonly form: URLSearchParams;
	readonly cookies: ReadonlyMap<string, string>;
	readonly authorization: string | undefined;
	/** `Sec-Fetch-Site`: whether another site led here. */
	readonly fetchSite: string | undefined;
	/** The clock of the lab, in milliseconds since 1970. */
	readonly now: () => number;
	/** Sends a request of the site, because of this one. Undefined: no response. */
	readonly send: (request: BackRequest) => Promise<BackResponse | undefined>;
};

/** The response of a site, and what it records of the request. */
export type SiteResponse = Pick<Message, 'outcome' | 'tone'> & {
	readonly status: number;
	readonly location?: string;
	/** `name=value`, for the whole site. */
	readonly cookie?: string;
	readonly view?: View;
	/** Data for a client. */
	readonly data?: unknown;
	/** The id of the rule that rejected the request. */
	readonly rule?: string;
	/** The values that this rule compared. */
	readonly compared?: Compared;
};

/** A web site of a lab: the client, a resource, or the attacker's. It runs in this page. */
export type Site = { readonly handle: (request: SiteRequest) => Promise<SiteResponse> };

export const attackerOrigin = 'https://guild-board.example';

const site = 'Guild board';

/** The attacker's page: a page of the lab with one link, and an address where codes can arrive. */
export class AttackerSite implements Site {
	readonly #linkOf: () => string | undefined;

	constructor(linkOf: () => string | undefined) {
		this.#linkOf = linkOf;
	}

	async handle({ url, form }: SiteRequest): Promise<SiteResponse> {
		const isPage = url.pathname === '/';
		const received = [...url.searchParams.keys(), ...form.keys()].filter((name) => name !== 'interaction');
		return {
			status: 200,
			outcome: isPage ? 'Page shown' : received.length === 0 ? 'Opened' : `Received ${received.join(', ')}`,
			tone: isPage ? 'plain' : 'caution',
			view: isPage ? boardView(this.#linkOf()) : { site, heading: 'Thank you', text: 'You are on the list.' }
		};
	}
}

/** What the page shows. @param url where its link leads */
export function boardView(url: string | undefined): View {
	return {
		site,
		heading: 'Tournament on Saturday',
		text: '24 places are left. Sign-up closes tonight.',
		action: {
			label: 'Sign up',
			url,
			hint: url === undefined ? 'Your message becomes this link' : 'Opens your held message'
		}
	};
}
