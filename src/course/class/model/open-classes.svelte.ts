import { storedText, storeText } from '#client/storage/web-storage.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';

const storageKey = 'tollgate-open-classes';
/** More than one instructor has open at once. */
const most = 20;

/** `expires`: in milliseconds. */
type OpenClass = { readonly code: string; readonly name: string; readonly expires: number };

/** The classes that this browser has opened. Their keys are cookies, so a reload or another page leads back to them. */
export class OpenClasses {
	/** Those that the server still has. */
	list: readonly OpenClass[] = $state.raw([]);
	readonly #root: ControlApi;

	/** @param root control API of the root sandbox */
	constructor(root: ControlApi) {
		this.#root = root;
	}

	/** Notes a class that was just opened. */
	add({ code }: Pick<OpenClass, 'code'>): void {
		this.#store([code, ...this.#stored()]);
	}

	/** Asks the server which of them are open. One that it does not have, or whose key this browser lost, is left out. */
	async refresh(): Promise<void> {
		const found: OpenClass[] = [];
		for (const code of this.#stored()) {
			try {
				const { name, expires } = await this.#root.request('GET /control/classes/{code}', { path: { code } });
				found.push({ code, name, expires });
			} catch (thrown) {
				if (!(thrown instanceof ControlError)) throw thrown;
				// A server that does not respond may have it.
				if (thrown.status !== 403 && thrown.status !== 404) return;
			}
		}
		this.list = found;
		this.#store(found.map(({ code }) => code));
	}

	#stored(): readonly string[] {
		return storedText(storageKey).split(' ').filter(Boolean);
	}

	#store(codes: readonly string[]): void {
		storeText(storageKey, [...new Set(codes)].slice(0, most).join(' '));
	}
}
