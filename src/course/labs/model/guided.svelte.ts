import { storedText, storeText } from '#client/storage/web-storage.ts';

const key = 'tollgate labs guided';

/** Whether labs show their steps: one choice for all labs, kept in this browser, where a class does not decide. */
class Guided {
	/** What the class of the seat decided. */
	ofClass: boolean | undefined = $state();
	#isChosen = $state(storedText(key) === 'on');

	get isOn(): boolean {
		return this.ofClass ?? this.#isChosen;
	}

	toggle(): void {
		if (this.ofClass !== undefined) return;
		this.#isChosen = !this.#isChosen;
		storeText(key, this.#isChosen ? 'on' : '');
	}
}

export const guided = new Guided();
