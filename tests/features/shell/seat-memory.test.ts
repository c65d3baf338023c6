import { beforeEach, expect, it, vi } from 'vitest';
import { forgetSeat, recallClass, rememberSeat } from '#features/shell/seat-memory.ts';

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

it('knows no class where storage is blocked', () => {
	vi.stubGlobal('localStorage', undefined);
	expect(recallClass('', 'https://tollgate.test/~abc')).toBeUndefined();
});
