export type ThemeChoice = 'system' | 'light' | 'dark';

const key = 'tollgate:theme';

/** Light, dark, or as the system has it. The script in app.html applies a stored choice before the first paint; this changes it. */
export class Theme {
	choice: ThemeChoice = $state('system');

	/** Takes up what was chosen earlier, and what another tab chooses. Call once in the browser; returns the undoing. */
	start(): () => void {
		this.choice = stored();
		const follow = (event: StorageEvent) => {
			if (event.key === key || event.key === null) this.#apply(stored());
		};
		addEventListener('storage', follow);
		return () => removeEventListener('storage', follow);
	}

	/** Chooses, and remembers it for the next visit where storage allows. */
	set(choice: ThemeChoice): void {
		this.#apply(choice);
		try {
			if (choice === 'system') localStorage.removeItem(key);
			else localStorage.setItem(key, choice);
		} catch {
			// Storage is switched off: the choice lasts as long as the page.
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
