export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'tollgate:theme';

/** The color theme. The script in app.html applies a stored choice before the first paint. */
export class Theme {
	choice: ThemeChoice = $state('system');

	/** Reads the stored choice and follows changes from other tabs. Call once in the browser. Returns a function that stops it. */
	start(): () => void {
		this.choice = stored();
		const follow = (event: StorageEvent) => {
			if (event.key === key || event.key === null) this.#apply(stored());
		};
		addEventListener('storage', follow);
		return () => removeEventListener('storage', follow);
	}

	/** Applies a theme and stores the choice. */
	set(choice: ThemeChoice): void {
		this.#apply(choice);
		try {
			if (choice === 'system') localStorage.removeItem(key);
			else localStorage.setItem(key, choice);
		} catch {
			// Storage is blocked: the choice lasts until the page is closed.
		}
	}

	#apply(choice: ThemeChoice): void {
		this.choice = choice;
		if (choice === 'system') delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = choice;
	}
}

export const theme = new Theme();

function stored(): ThemeChoice {
	try {
		const found = localStorage.getItem(key);
		return found === 'light' || found === 'dark' ? found : 'system';
	} catch {
		return 'system';
	}
}
