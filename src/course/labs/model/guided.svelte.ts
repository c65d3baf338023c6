import { storedText, storeText } from '#client/storage/web-storage.ts';

const key = 'tollgate labs guided';

/** Whether labs show their steps: one choice for all labs, kept in this browser. Where it blocks storage, in this page. */
class Guided {
	isOn = $state(storedText(key) === 'on');

	toggle(): void {
		this.isOn = !this.isOn;
		storeText(key, this.isOn ? 'on' : '');
	}
}

export const guided = new Guided();
