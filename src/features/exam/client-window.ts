import { responseForm } from '#exam/response-form.ts';

/** The window in which a user operates the client under test. */
export type ClientWindow = {
	/** Opens a URL. The first time it needs a press of the user, and so after the user has closed the window. */
	readonly open: (url: string) => void;
	/** Posts the authorization response in a URL as a form. It needs what `open` needs. */
	readonly post: (url: string) => void;
	/** Whether `open` works without a press of the user. */
	readonly isOpen: () => boolean;
};

const windowName = 'tollgate-exam-client';

/** A window beside the page, so that both are in view. */
export function createClientWindow(): ClientWindow {
	let opened: Window | null = null;
	const isOpen = () => opened?.closed === false;
	const show = (url: string) => {
		if (isOpen()) opened?.location.replace(url);
		else opened = open(url, windowName, 'popup,width=560,height=760');
		opened?.focus();
	};
	return {
		isOpen,
		open: show,
		post: (url) => {
			if (!isOpen()) show('about:blank');
			const form = formElement(url);
			document.body.append(form);
			form.submit();
			form.remove();
			opened?.focus();
		}
	};
}

/** The authorization response in a URL, as a form that leads to the window. */
function formElement(url: string): HTMLFormElement {
	const { action, fields } = responseForm(url);
	const form = Object.assign(document.createElement('form'), { method: 'post', target: windowName, action });
	for (const [name, value] of fields)
		form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
	return form;
}
