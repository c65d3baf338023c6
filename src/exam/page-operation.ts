import { actionsIn, type PageAction } from './page-forms.ts';

/** What a user wants of the pages of a client. */
export type Intent = 'sign-in' | 'sign-out';

const words: Readonly<Record<Intent, RegExp>> = {
	'sign-in': /sign.?in|log.?in|continue|connect|authori[sz]e|oauth|tollgate/i,
	'sign-out': /sign.?out|log.?out|sign.?off|log.?off|yes|confirm/i
};

/** A page of a client that a user is on. */
type OpenedPage = { readonly url: string; readonly text: string };

const wordsOf = ({ action, label, fields }: PageAction): string => `${action} ${label} ${fields.get('_method') ?? ''}`;

/** Forms without a field to fill in, and links that lead elsewhere. */
function operable({ url, text }: OpenedPage, intent: Intent): PageAction[] {
	const other = words[intent === 'sign-in' ? 'sign-out' : 'sign-in'];
	const leads = ({ isLink, action }: PageAction) =>
		!isLink || (URL.canParse(action, url) && /^https?:/.test(new URL(action, url).protocol) && !/^$|^#/.test(action));
	return actionsIn(text).filter(
		(one) => !one.needsText && leads(one) && (words[intent].test(wordsOf(one)) || !other.test(wordsOf(one)))
	);
}

/** The only one; undefined if there are others that do something else. */
function only(actions: readonly PageAction[]): PageAction | undefined {
	const [first] = actions;
	const isSame = ({ action, method }: PageAction) => action === first?.action && method === first.method;
	return actions.every(isSame) ? first : undefined;
}

/**
 * The one thing that a user can do on a page to go on: the only form with a button, or the only link. Of several, the one whose words say
 * what the user wants.
 * @param target only forms that lead there
 */
export function obviousAction(page: OpenedPage, intent: Intent, target?: string): PageAction | undefined {
	const leadsThere = ({ action, isLink }: PageAction) =>
		target === undefined || (!isLink && URL.canParse(action, page.url) && new URL(action, page.url).href === target);
	const actions = operable(page, intent).filter(leadsThere);
	for (const same of [actions.filter(({ isLink }) => !isLink), actions.filter(({ isLink }) => isLink)]) {
		const named = same.filter((one) => words[intent].test(wordsOf(one)));
		const ours = named.filter((one) => /tollgate/i.test(wordsOf(one)));
		const found = only(ours.length > 0 ? ours : named.length > 0 ? named : same);
		if (found !== undefined) return found;
		if (same.length > 0) return undefined;
	}
	return undefined;
}

/** Why a user cannot go on from a page, as the end of a sentence; undefined if it has no form. */
export function formsText({ url, text }: OpenedPage): string | undefined {
	const forms = actionsIn(text).filter(({ isLink }) => !isLink);
	const [first] = forms;
	if (first === undefined) return undefined;
	const path = URL.canParse(first.action, url) ? new URL(first.action, url).pathname : first.action;
	const named = `${first.method.toUpperCase()} ${path}`;
	if (forms.length > 1) return `has ${forms.length} forms, the first one ${named}`;
	return first.needsText ? `has a form with fields to fill in, ${named}` : `has a form, ${named}`;
}
