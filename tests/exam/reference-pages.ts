import type { PageResponse, Trait } from './reference-client.ts';

/** The page of the reference client after an error, as `PageResponse` without its status. */
export function errorPage(text: string, has: (trait: Trait) => boolean): Pick<PageResponse, 'body' | 'type'> {
	if (has('error text as HTML')) return { body: `<!doctype html><p>${text}</p>` };
	if (has('error text in an attribute')) return { body: `<!doctype html><p title='${text}'>Access was denied.</p>` };
	if (has('error text in a script')) {
		const data = text.replaceAll('"', "'");
		return { body: `<!doctype html><script type="application/json">{"text":"${data}"}</script>` };
	}
	return { body: '<!doctype html><p>You did not allow access.</p>' };
}
