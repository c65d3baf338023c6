import type { PageClock } from '#hosts/page/page-clock.ts';
import { PageService, type PagePreset } from '#hosts/page/page-service.ts';
import { clientId, redirectUri } from './exercise-client.ts';

/** What sent a request: a line of the program, some line of it, or the user in the browser. */
export type Sender = { readonly by: 'client'; readonly line: number | undefined } | { readonly by: 'user' };

/** The preset of an exercise, besides its application. */
export type ExercisePreset = Omit<PagePreset, 'applications'>;

/** The service of one run of an exercise. */
export class ExerciseService extends PageService<Sender> {
	/** The secret of the application. Set by `start`. */
	secret = '';

	/** @param baseUrl of the site. The service always has TLS: libraries send nothing without */
	constructor(baseUrl: string, clock: PageClock, options: { readonly onEntries?: () => void } = {}) {
		super(baseUrl.replace(/^http:/, 'https:'), clock, options);
	}

	/** Registers the application, and changes the sandbox. @throws ControlError */
	async start(preset: ExercisePreset = {}): Promise<void> {
		await this.prepare({
			...preset,
			applications: [{ client_id: clientId, name: 'My client', kind: 'web', redirect_uris: [redirectUri] }]
		});
		this.secret = await this.secretOf(clientId);
	}
}
