import { snippets } from './snippets/index.ts';
import type { Snippet } from './snippets/snippet.ts';

const key = 'tollgate:snippet';

/** The language of the code examples. The browser remembers it. */
export class SnippetChoice {
	#label = $state(stored());

	/** The name of the language. */
	get label(): string {
		return this.snippet.label;
	}

	set label(label: string) {
		this.#label = label;
		try {
			localStorage.setItem(key, label);
		} catch {
			// Storage is blocked: the choice lasts until the page is closed.
		}
	}

	get snippet(): Snippet {
		return snippets.find(({ label }) => label === this.#label) ?? snippets[0];
	}
}

function stored(): string {
	try {
		return localStorage.getItem(key) ?? '';
	} catch {
		return '';
	}
}
