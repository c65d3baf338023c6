import { decodeBase64 } from '#service/core/encoding.ts';
import type { PageClock } from '#hosts/page/page-clock.ts';
import { PageService, type PagePreset, type SentRequest } from '#hosts/page/page-service.ts';
import { clientId, redirectUri } from './exercise-client.ts';

/** What sent a request: a line of the program, some line of it, or the user in the browser. */
export type Sender =
	| {
			readonly by: 'client';
			readonly line: number | undefined;
			/** Whether the URL has the secret of the application. The log has no secrets. */
			readonly hasSecretInUrl?: boolean;
	  }
	| { readonly by: 'user' };

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

	/** Sends a request as `PageService` does, and looks for the secret in its URL. */
	override send(request: SentRequest, sender: Sender): ReturnType<PageService<Sender>['send']> {
		const { secret } = this;
		const hasSecretInUrl = sender.by === 'client' && secret !== '' && isInUrl(secret, request.url);
		return super.send(request, hasSecretInUrl ? { ...sender, hasSecretInUrl } : sender);
	}
}

/** Whether a URL has a secret in a value: as it is, backwards, or in base64. */
function isInUrl(secret: string, url: string): boolean {
	const { pathname, searchParams } = new URL(url);
	const values = [pathname, ...[...searchParams].flat()];
	const encoded = values.flatMap((value) => value.split(/[^\w+/=-]/));
	const backwards = [...secret].reverse().join('');
	return [...values, ...encoded.map((part) => decodeBase64(part) ?? '')].some(
		(text) => text.includes(secret) || text.includes(backwards)
	);
}
