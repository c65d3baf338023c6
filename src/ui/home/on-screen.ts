import type { Attachment } from 'svelte/attachments';

/**
 * Reports whether an element is visible: inside the viewport of the active tab.
 * @param report called at once and after each change
 */
export function onScreen(report: (visible: boolean) => void): Attachment<HTMLElement> {
	return (element) => {
		let intersects = false;
		const update = () => report(intersects && document.visibilityState === 'visible');
		const observer = new IntersectionObserver((entries) => {
			intersects = entries.at(-1)?.isIntersecting ?? false;
			update();
		});
		observer.observe(element);
		document.addEventListener('visibilitychange', update);
		return () => {
			observer.disconnect();
			document.removeEventListener('visibilitychange', update);
		};
	};
}
