// Prints figures. A missed target is printed, and nothing fails.

/** @param {string} title */
export function heading(title) {
	console.log(`\n${title}\n${'─'.repeat(title.length)}`);
}

/**
 * Prints rows under a head; the first column to the left, the others to the right.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
	for (const row of [head, ...rows]) {
		const cells = row.map((cell, column) =>
			column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
		);
		console.log(`  ${cells.join('   ')}`);
	}
}

/**
 * @param {string} what
 * @param {boolean} met
 */
export function target(what, met) {
	console.log(`  ${met ? 'met   ' : 'MISSED'}  ${what}`);
}

/** @param {number} value @returns {string} with thousands apart */
export function whole(value) {
	return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
}

/** @param {number} share @returns {string} */
export function percent(share) {
	return `${Math.round(share * 100)} %`;
}

/** @param {number[]} values @returns {number} */
export function median(values) {
	return percentile(values, 0.5);
}

/**
 * @param {number[]} values
 * @param {number} share of them that are not above it, 0 to 1
 * @returns {number}
 */
export function percentile(values, share) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? NaN;
}
