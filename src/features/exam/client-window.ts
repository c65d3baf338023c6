/** The window in which a user operates the client under test. */
export type ClientWindow = {
	/** Opens a URL. The first time it needs a press of the user, and so after the user has closed the window. */
	readonly open: (url: string) => void;
	/** Whether `open` works without a press of the user. */
	readonly isOpen: () => boolean;
};

/** A window beside the page, so that both are in view. */
export function createClientWindow(): ClientWindow {
	let opened: Window | null = null;
	const isOpen = () => opened?.closed === false;
	return {
		isOpen,
		open: (url) => {
			if (isOpen()) opened?.location.replace(url);
			else opened = open(url, 'tollgate-exam-client', 'popup,width=560,height=760');
			opened?.focus();
		}
	};
}
