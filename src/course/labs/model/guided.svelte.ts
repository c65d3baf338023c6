const key = 'tollgate labs guided';

/** Whether labs show their steps: one choice for all labs, kept in this browser. Where it blocks storage, in this page. */
class Guided {
	isOn = $state(stored());

	toggle(): void {
		this.isOn = !this.isOn;
		try {
			if (this.isOn) localStorage.setItem(key, 'on');
			else localStorage.removeItem(key);
		} catch {
			// It stays on in this page.
		}
	}
}

function stored(): boolean {
	try {
		return typeof localStorage !== 'undefined' && localStorage.getItem(key) === 'on';
	} catch {
		return false;
	}
}

export const guided = new Guided();
