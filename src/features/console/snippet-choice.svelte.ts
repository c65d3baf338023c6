import { storedText, storeText } from '#client/storage/web-storage.ts';
import { snippets } from './snippets/index.ts';
import type { Snippet } from './snippets/snippet.ts';

const key = 'tollgate:snippet';

/** The language of the code examples. The browser remembers it. */
export class SnippetChoice {
	#label = $state(storedText(key));

	/** The name of the language. */
	get label(): string {
		return this.snippet.label;
	}

	set label(label: string) {
		this.#label = label;
		storeText(key, label);
	}

	get snippet(): Snippet {
		return snippets.find(({ label }) => label === this.#label) ?? snippets[0];
	}
}
