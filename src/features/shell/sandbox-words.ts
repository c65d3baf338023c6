import type { SandboxStatus } from '#api/control/status.ts';

/** What the interface calls a sandbox: its name, `Default sandbox`, or the first characters of its id. */
export function sandboxLabel({ id, name }: Pick<SandboxStatus, 'id' | 'name'>): string {
	return name ?? (id === 'root' ? 'Default sandbox' : `Sandbox ${id.slice(0, 6)}`);
}

/** `1 account`, `3 accounts`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
	return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** A duration of up to years: `2 days 3 hours`, `90 seconds`. */
export function longDuration(seconds: number): string {
	const units = { day: 86_400, hour: 3600, minute: 60, second: 1 };
	const parts: string[] = [];
	let rest = seconds;
	for (const [unit, length] of Object.entries(units)) {
		const count = Math.floor(rest / length);
		rest -= count * length;
		if (count > 0) parts.push(countText(count, unit));
	}
	return parts.slice(0, 2).join(' ') || '0 seconds';
}
