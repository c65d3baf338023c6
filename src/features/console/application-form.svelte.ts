import * as v from 'valibot';
import {
	type ApplicationChange,
	type ApplicationView,
	clientKeys,
	type ClientKeys,
	maxRedirectUris
} from '#api/control/applications.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';

type UriListName = 'redirect_uris' | 'post_logout_redirect_uris';

/** A list of URIs in a form, one field each. */
export class UriList {
	/** One entry per field. */
	fields: string[] = $state([]);
	readonly #name: UriListName;
	readonly #form: FormState;
	/** How many fields stay. */
	readonly #least: 0 | 1;

	constructor(name: UriListName, form: FormState, least: 0 | 1) {
		this.#name = name;
		this.#form = form;
		this.#least = least;
		this.set([]);
	}

	/** Replaces all fields. */
	set(uris: readonly string[]): void {
		this.fields = uris.length >= this.#least ? [...uris] : [''];
	}

	get canAdd(): boolean {
		return this.fields.length < maxRedirectUris;
	}

	get canRemove(): boolean {
		return this.fields.length > this.#least;
	}

	add(): void {
		this.fields.push('');
	}

	/** Removes a URI. */
	remove(index: number): void {
		this.set(this.fields.filter((_, at) => at !== index));
	}

	/** What a request sends. Empty fields at the end are left out, so that the index of an error is that of its field. */
	get values(): string[] {
		const filled = this.fields.findLastIndex((uri) => uri.trim() !== '') + 1;
		return this.fields.slice(0, filled).map((uri) => uri.trim());
	}

	/** What is wrong with a URI. An error of the whole list appears at the first field. */
	errorOf(index: number): string {
		const own = this.#form.errorOf(`${this.#name}.${index}`);
		return own === '' && index === 0 ? this.#form.errorOf(this.#name) : own;
	}
}

/** The fields of an application, for its registration and its settings. */
export class ApplicationForm {
	name = $state('');
	kind: 'web' | 'installed' = $state('web');
	/** The public keys of its assertions, as JSON. Empty: none. */
	jwks = $state('');
	/** Whether each token request needs a DPoP proof. */
	isBound = $state(false);
	/** Whether exchanged tokens name no actor. */
	impersonates = $state(false);
	readonly form = new FormState([
		'name',
		'jwks',
		...fieldsOf('redirect_uris'),
		...fieldsOf('post_logout_redirect_uris')
	]);
	readonly redirectUris = new UriList('redirect_uris', this.form, 1);
	/** Where a browser may go after a sign-out. */
	readonly logoutUris = new UriList('post_logout_redirect_uris', this.form, 0);

	static of(application: ApplicationView): ApplicationForm {
		const { name, kind, redirect_uris, post_logout_redirect_uris = [], jwks } = application;
		const form = new ApplicationForm();
		form.name = name;
		form.kind = kind;
		form.jwks = jwks === undefined ? '' : JSON.stringify(jwks, undefined, 2);
		form.isBound = application.dpop_bound_access_tokens === true;
		form.impersonates = application.token_exchange === 'impersonation';
		form.redirectUris.set(redirect_uris);
		form.logoutUris.set(post_logout_redirect_uris);
		return form;
	}

	/**
	 * The public keys, null without any. Undefined where the text is no key set: its error is shown then. One key alone counts as a set.
	 */
	readKeys(): ClientKeys | null | undefined {
		if (this.jwks.trim() === '') return null;
		const parsed = v.safeParse(clientKeys, asKeySet(this.jwks), { abortEarly: true });
		if (parsed.success) return parsed.output;
		const [issue] = parsed.issues;
		this.form.reject('jwks', v.getDotPath(issue) === null ? 'Paste a JWKS in JSON: {"keys":[…]}.' : issue.message);
		return undefined;
	}

	/** How the application gets tokens, in the dialect of today's standards. */
	get tokenSettings(): Required<Pick<ApplicationChange, 'dpop_bound_access_tokens' | 'token_exchange'>> {
		return {
			dpop_bound_access_tokens: this.isBound,
			token_exchange: this.impersonates ? 'impersonation' : 'delegation'
		};
	}

	/**
	 * What a request sends.
	 * @param isStandard whether the sandbox has the dialect of today's standards: only there an installed application has redirect URIs of
	 * its own, and clients can sign users out
	 */
	valuesIn(isStandard: boolean): { name: string; redirect_uris?: string[]; post_logout_redirect_uris?: string[] } {
		return {
			name: this.name.trim(),
			...((isStandard || this.kind === 'web') && { redirect_uris: this.redirectUris.values }),
			...(isStandard && { post_logout_redirect_uris: this.logoutUris.values })
		};
	}
}

/** JSON as a key set; undefined for any other text. */
function asKeySet(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null && 'kty' in value ? { keys: [value] } : value;
	} catch {
		return undefined;
	}
}

function fieldsOf(list: UriListName): string[] {
	return [list, ...Array.from({ length: maxRedirectUris }, (_, index) => `${list}.${index}`)];
}

/** The kinds of application, as the user chooses and sees them. */
export const kinds = {
	web: { label: 'Web server application', hint: 'Runs on your server, which can keep the secret.' },
	installed: { label: 'Installed application', hint: 'Runs on a phone or a computer, where it cannot keep a secret.' }
} as const;

/** The kinds, for a choice. */
export const kindOptions = (['web', 'installed'] as const).map((value) => ({ value, ...kinds[value] }));

/** The redirect URIs of every installed application (specification, section 3.2). */
export const installedRedirectUris = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'] as const;

/**
 * The page of an application.
 * @param home prefix of every link
 */
export function applicationHref(home: string, client_id: string, tab?: string): string {
	const query = new URLSearchParams({ client_id, ...(tab === undefined ? {} : { tab }) });
	return `${home}/console/application?${query.toString()}`;
}
