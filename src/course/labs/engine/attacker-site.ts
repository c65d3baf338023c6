import type { Site, SiteRequest, SiteResponse, View } from './site.ts';

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
