import { expect, test } from 'vitest';
import { dateText, dateTimeText, timeText } from '#lib/time-text.ts';

test('shows days and times in UTC', () => {
	const at = Date.UTC(2026, 10, 3, 7, 9, 5, 600);
	expect([dateText(at), timeText(at), dateTimeText(at)]).toEqual(['3 Nov 2026', '07:09:05', '3 Nov 2026, 07:09 UTC']);
});
