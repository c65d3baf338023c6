import type { Attachment } from 'svelte/attachments';
import { placeBeside } from './position.ts';
import { keyCaps } from '../shell/key-caps.ts';

const delay = 400;
let bubble: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows a short text beside a control, after a moment of pointing at it, or at once when the keyboard brings the focus there.
 * For controls whose name says the same already (an icon button): assistive technology reads the name, not this.
 * @param text what it says
 * @param keys the key that does the same (`mod k`, `g v`)
 */
export function tooltip(text: string, keys?: string): Attachment<HTMLElement> {
	return (anchor) => {
		const show = () => open(anchor, text, keys);
		const later = (event: PointerEvent) => {
			if (event.pointerType === 'touch') return;
			clearTimeout(timer);
			timer = setTimeout(show, delay);
		};
		const focused = () => {
			if (anchor.matches(':focus-visible')) show();
		};
		const escape = (event: KeyboardEvent) => {
			if (event.key === 'Escape') close();
		};
		anchor.addEventListener('pointerenter', later);
		anchor.addEventListener('pointerleave', close);
		anchor.addEventListener('pointerdown', close);
		anchor.addEventListener('focus', focused);
		anchor.addEventListener('blur', close);
		anchor.addEventListener('keydown', escape);
		return () => {
			close();
			anchor.removeEventListener('pointerenter', later);
			anchor.removeEventListener('pointerleave', close);
			anchor.removeEventListener('pointerdown', close);
			anchor.removeEventListener('focus', focused);
			anchor.removeEventListener('blur', close);
			anchor.removeEventListener('keydown', escape);
		};
	};
}

function open(anchor: HTMLElement, text: string, keys: string | undefined): void {
	clearTimeout(timer);
	bubble ??= makeBubble();
	const host = anchor.closest('dialog') ?? document.body;
	if (bubble.parentNode !== host) host.append(bubble);
	bubble.textContent = text;
	for (const cap of keys === undefined ? [] : keyCaps(keys)) {
		const kbd = document.createElement('kbd');
		kbd.textContent = cap;
		bubble.append(kbd);
	}
	if (!bubble.matches(':popover-open')) bubble.showPopover();
	placeBeside(bubble, anchor, 'center');
}

function close(): void {
	clearTimeout(timer);
	if (bubble?.matches(':popover-open')) bubble.hidePopover();
}

function makeBubble(): HTMLElement {
	const made = document.createElement('div');
	made.className = 'tooltip';
	made.popover = 'manual';
	made.ariaHidden = 'true';
	return made;
}
