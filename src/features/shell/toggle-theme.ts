import { theme } from './theme.svelte.ts';

/** Changes between light and dark. For pages without the switch of the sidebar, so that no other page loads it. */
export function toggleTheme(): void {
	const isSystemDark = theme.choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches;
	theme.set(isSystemDark || theme.choice === 'dark' ? 'light' : 'dark');
}
