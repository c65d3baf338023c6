import { followStored, storedText, storeText } from '#client/storage/web-storage.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'tollgate:theme';

/** The color theme. The script in app.html applies a stored choice before the first paint. */
export class Theme {
	choice: ThemeChoice = $state('system');

	/** Reads the stored choice and follows changes from other tabs. Call once in the browser. Returns a function that stops it. */
	start(): () => void {
		this.choice = stored();
		return followStored(key, () => this.#apply(stored()));
	}

	/** Applies a theme and stores the choice. */
	set(choice: ThemeChoice): void {
		this.#apply(choice);
		storeText(key, choice === 'system' ? '' : choice);
	}

	/** Applies a theme to this page only. */
	show(choice: ThemeChoice): void {
		this.#apply(choice);
	}

	#apply(choice: ThemeChoice): void {
		this.choice = choice;
		if (choice === 'system') delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = choice;
	}
}

export const theme = new Theme();

function stored(): ThemeChoice {
	const found = storedText(key);
	return found === 'light' || found === 'dark' ? found : 'system';
}
