import { beforeEach, expect, it, vi } from 'vitest';
import { findOpenSeat, forgetSeat, recallClass, rememberSeat } from '#features/shell/seat-memory.ts';

const seat = { seat: 3, label: 'Brave Toucan', key: '', applications: [] };

beforeEach(() => {
	const stored: Record<string, string> = {};
	Object.defineProperties(stored, {
		getItem: { value: (key: string) => stored[key] ?? null },
		setItem: { value: (key: string, value: string) => (stored[key] = value) },
		removeItem: { value: (key: string) => delete stored[key] }
	});
	vi.stubGlobal('localStorage', stored);
});

it('knows the class of a seat by its base URL, so that a student whose seat was released can join again', () => {
	rememberSeat('/demo', 'S4J752', { ...seat, base_url: 'https://tollgate.test/demo/~abc' });
	expect(recallClass('/demo', 'https://tollgate.test/demo/~abc')).toBe('S4J752');
	expect(recallClass('/demo', 'https://tollgate.test/demo/~other')).toBeUndefined();
	expect(recallClass('', 'https://tollgate.test/demo/~abc')).toBeUndefined();
	forgetSeat('/demo', 'S4J752');
	expect(recallClass('/demo', 'https://tollgate.test/demo/~abc')).toBeUndefined();
});

it('finds the seat of a class that goes on, for pages outside of it', async () => {
	for (const code of ['ENDED1', 'GIVEN1', 'S4J752'])
		rememberSeat('', code, { ...seat, base_url: `https://tollgate.test/~${code}` });
	const ofSeat = { name: 'Workshop' };
	const find = (can_control: boolean) =>
		findOpenSeat('', (baseUrl) => {
			const status = { can_control: can_control && baseUrl.endsWith('S4J752'), class: ofSeat };
			return Promise.resolve(baseUrl.endsWith('ENDED1') ? undefined : status);
		});
	expect(await find(true)).toEqual({ href: 'https://tollgate.test/~S4J752/join', name: 'Workshop' });
	expect(await find(false)).toBeUndefined();
	expect(await findOpenSeat('/demo', () => Promise.reject(new Error('no seat to ask for')))).toBeUndefined();
});

it('knows no class where storage is blocked', () => {
	vi.stubGlobal('localStorage', undefined);
	expect(recallClass('', 'https://tollgate.test/~abc')).toBeUndefined();
});
