import { maxRedirectUris, type ApplicationView } from '#api/control/applications.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';

/** The fields of an application, for its registration and its settings. */
export class ApplicationForm {
	name = $state('');
	kind: 'web' | 'installed' = $state('web');
	/** One entry per field. */
	redirectUris: string[] = $state(['']);
	readonly form = new FormState([
		'name',
		'redirect_uris',
		...Array.from({ length: maxRedirectUris }, (_, index) => `redirect_uris.${index}`)
	]);

	/** The form that changes an application. */
	static of({ name, kind, redirect_uris }: ApplicationView): ApplicationForm {
		const form = new ApplicationForm();
		form.name = name;
		form.kind = kind;
		form.redirectUris = [...redirect_uris];
		return form;
	}

	get canAdd(): boolean {
		return this.redirectUris.length < maxRedirectUris;
	}

	add(): void {
		this.redirectUris.push('');
	}

	/** Removes a redirect URI. One field stays. */
	remove(index: number): void {
		this.redirectUris.splice(index, 1);
		if (this.redirectUris.length === 0) this.add();
	}

	/** What a request sends. Empty fields at the end are left out, so that the index of an error is that of its field. */
	get values(): { name: string; redirect_uris: string[] } {
		const filled = this.redirectUris.findLastIndex((uri) => uri.trim() !== '') + 1;
		const redirect_uris = this.redirectUris.slice(0, filled).map((uri) => uri.trim());
		return { name: this.name.trim(), redirect_uris: this.kind === 'web' ? redirect_uris : [] };
	}

	/** What is wrong with a redirect URI. An error of the whole list appears at the first field. */
	errorOf(index: number): string {
		const own = this.form.errorOf(`redirect_uris.${index}`);
		return own === '' && index === 0 ? this.form.errorOf('redirect_uris') : own;
	}
}
