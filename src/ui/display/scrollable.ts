import type { Attachment } from 'svelte/attachments';

/** Makes an element focusable by keyboard while its content overflows. */
export const scrollable: Attachment<HTMLElement> = (element) => {
	const look = () => {
		if (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight) element.tabIndex = 0;
		else element.removeAttribute('tabindex');
	};
	const observer = new ResizeObserver(look);
	observer.observe(element);
	if (element.firstElementChild) observer.observe(element.firstElementChild);
	return () => observer.disconnect();
};
