import { ControlError } from './control-api.ts';

/** The state of a form that sends a control request: whether it is under way, and what the service rejected. */
export class FormState {
	/** Whether a request is in progress. */
	isBusy = $state(false);
	/** An error that belongs to no field of the form. */
	error: ControlError | undefined = $state.raw();
	#errors: Readonly<Record<string, string>> = $state.raw({});
	readonly #fields: readonly string[];
	#running = 0;

	/** @param fields the paths in the request body that have a field in the form: `limits.character`, `redirect_uris.0` */
	constructor(fields: readonly string[] = []) {
		this.#fields = fields;
	}

	/** What is wrong with a field; empty without an error. */
	errorOf(field: string): string {
		return this.#errors[field] ?? '';
	}

	/** Shows an error at a field, for checks that need no request. */
	reject(field: string, message: string): void {
		this.#errors = { ...this.#errors, [field]: message };
	}

	/**
	 * Runs a request and keeps its error. What was typed stays.
	 * @returns whether it succeeded
	 */
	async run(send: () => Promise<void>): Promise<boolean> {
		this.#running++;
		this.isBusy = true;
		this.error = undefined;
		this.#errors = {};
		try {
			await send();
			return Object.keys(this.#errors).length === 0;
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (thrown.field !== undefined && this.#fields.includes(thrown.field)) this.reject(thrown.field, thrown.message);
			else this.error = thrown;
			return false;
		} finally {
			this.isBusy = --this.#running > 0;
		}
	}
}
