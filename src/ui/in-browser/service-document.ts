/** What a person does in a page of the service. */
export type Deeds = {
	/** Follows a link to an address of this origin. */
	follow: (url: URL) => void;
	/** Sends a form. */
	send: (method: 'GET' | 'POST', url: URL, fields: URLSearchParams) => void;
};

/**
 * Shows a document of the service as it would stand in a window of its own: its styles and the application's don't mix, and its
 * links and forms lead to `deeds`. Its scripts don't run; it has none.
 * @param place the element that it is shown in
 * @returns takes it away again
 */
export function showDocument(place: HTMLElement, shown: Document, deeds: Deeds): () => void {
	const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
	const { body } = shown;
	const styles = [...shown.querySelectorAll('link[rel="stylesheet"]')];
	// Not before its styles are there: it would be seen without them for a moment.
	body.style.visibility = 'hidden';
	root.replaceChildren(...styles, body);
	document.title = shown.title;
	const click = (event: Event) => followLink(event, deeds);
	const submit = (event: Event) => sendForm(event, deeds);
	root.addEventListener('click', click);
	root.addEventListener('submit', submit);
	void Promise.all(styles.map(loaded)).then(() => {
		body.style.removeProperty('visibility');
		root.querySelector<HTMLElement>('[autofocus]')?.focus();
	});
	return () => {
		root.removeEventListener('click', click);
		root.removeEventListener('submit', submit);
	};
}

/** An element can take the focus only once it is displayed. */
function loaded(link: Element): Promise<void> {
	return new Promise((resolve) => {
		link.addEventListener('load', () => resolve(), { once: true });
		link.addEventListener('error', () => resolve(), { once: true });
	});
}

function followLink(event: Event, { follow }: Deeds): void {
	if (!(event instanceof MouseEvent) || event.button !== 0) return;
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
	if (link === undefined || link.origin !== location.origin || link.target !== '') return;
	if (link.getAttribute('href')?.startsWith('#') === true) return;
	event.preventDefault();
	follow(new URL(link.href));
}

function sendForm(event: Event, { send }: Deeds): void {
	const form = event.target;
	if (!(event instanceof SubmitEvent) || !(form instanceof HTMLFormElement)) return;
	event.preventDefault();
	const button = event.submitter;
	// By attribute: a field called `action` hides the property of that name.
	const action = button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
	const fields = new URLSearchParams();
	for (const [name, value] of new FormData(form, button)) if (typeof value === 'string') fields.append(name, value);
	send(form.getAttribute('method')?.toLowerCase() === 'post' ? 'POST' : 'GET', new URL(action, location.href), fields);
}
