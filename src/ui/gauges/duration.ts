/**
 * Remaining time in clock format: `0:42`, `12:05`, `1:02:05`. Rounded up, so that `0:00` means over.
 * @param milliseconds remaining time; negative values count as zero
 */
export function clockText(milliseconds: number): string {
	const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
	const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	const tail = String(s).padStart(2, '0');
	return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${tail}` : `${m}:${tail}`;
}
