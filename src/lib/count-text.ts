/** A count with its noun: `1 account`, `3,000 accounts`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
	return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
