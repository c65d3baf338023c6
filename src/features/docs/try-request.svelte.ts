import type { DocOperation } from './doc-page.ts';

/** A response as the reference shows it. */
export type TryResponse = {
	readonly status: number;
	readonly headers: string;
	readonly body: string;
	readonly isJson: boolean;
	/** Milliseconds. */
	readonly duration: number;
};

/** How much of a body is shown, in characters. */
const longestBody = 100_000;

/** One request of the reference, from its form to its response. */
export class TryRequest {
	/** By name. */
	parameters: Record<string, string> = $state({});
	/** The fields of a form body. */
	fields: Record<string, string> = $state({});
	/** A JSON body. */
	body = $state('');
	key = $state('');
	accessToken = $state('');
	busy = $state(false);
	/** Why there is no response. */
	problem = $state('');
	response: TryResponse | undefined = $state.raw();
	readonly isForm: boolean;
	readonly #operation: DocOperation;
	readonly #base: () => string;
	readonly #scheme: () => string;
	#abort = new AbortController();

	/**
	 * @param base returns the base URL of the sandbox, without a trailing slash
	 * @param scheme returns the scheme of access tokens in the dialect of the sandbox
	 */
	constructor(operation: DocOperation, base: () => string, scheme: () => string) {
		this.#operation = operation;
		this.#base = base;
		this.#scheme = scheme;
		const { parameters, body } = operation;
		this.parameters = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
		this.isForm = body?.values !== undefined;
		if (body?.values === undefined) this.body = body?.example ?? '';
		else this.fields = { ...body.values };
	}

	/** The URL with all parameters. */
	get url(): string {
		const query = new URLSearchParams();
		let path = this.#operation.path;
		for (const { name, in: place } of this.#operation.parameters) {
			const value = this.parameters[name] ?? '';
			if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
			else if (value !== '') query.set(name, value);
		}
		return `${this.#base()}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
	}

	/** Sends the request and reads the response, a stream until it ends or is stopped. */
	async send(): Promise<void> {
		this.stop();
		const { signal } = (this.#abort = new AbortController());
		this.busy = true;
		this.problem = '';
		this.response = undefined;
		const begin = performance.now();
		try {
			const response = await fetch(this.url, this.#init(signal));
			if (response.type === 'opaqueredirect') {
				this.problem = 'The response is a redirect. Scripts cannot see where it leads, so open the URL in a new tab.';
			} else await this.#read(response, begin);
		} catch {
			if (!signal.aborted)
				this.problem = 'The connection was closed. The address may be blacklisted, or a fault is active.';
		} finally {
			if (signal === this.#abort.signal) this.busy = false;
		}
	}

	/** Ends the request. */
	stop(): void {
		this.#abort.abort();
		this.busy = false;
	}

	#init(signal: AbortSignal): RequestInit {
		const { method, body } = this.#operation;
		const headers = new Headers({ accept: 'application/json' });
		if (this.key !== '') headers.set('x-tollgate-key', this.key);
		if (this.accessToken !== '') headers.set('authorization', `${this.#scheme()} ${this.accessToken}`);
		const content = this.isForm
			? new URLSearchParams(Object.entries(this.fields).filter(([, value]) => value !== '')).toString()
			: this.body;
		if (body !== undefined && content !== '') headers.set('content-type', body.type);
		return {
			method,
			headers,
			signal,
			redirect: 'manual',
			cache: 'no-store',
			body: body === undefined || content === '' ? null : content
		};
	}

	async #read(response: Response, begin: number): Promise<void> {
		const isJson = response.headers.get('content-type')?.includes('json') === true;
		const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
		const duration = Math.round(performance.now() - begin);
		const show = (body: string) => {
			this.response = { status: response.status, headers, body, isJson, duration };
		};
		show('');
		let text = '';
		const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
		for (;;) {
			const piece = await reader?.read();
			if (piece?.value === undefined || text.length > longestBody) break;
			text += piece.value;
			if (!isJson) show(text.slice(0, longestBody));
		}
		void reader?.cancel();
		show(isJson ? formatted(text) : text.slice(0, longestBody));
	}
}

function formatted(json: string): string {
	try {
		return JSON.stringify(JSON.parse(json), undefined, 2);
	} catch {
		return json;
	}
}
