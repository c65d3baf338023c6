/** An icon of Lucide, by its name. The plugin `icons` of Vite makes it. */
declare module 'icon:*' {
	import type { Component } from 'svelte';
	const icon: Component;
	export default icon;
}
