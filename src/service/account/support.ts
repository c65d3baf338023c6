import type { WireResponse } from '#wire/message.ts';
import { respondJson, redirect, requireMethod } from '../responses.ts';
import { base64url, sanitizeLines } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { prefersJson } from '../negotiation.ts';
import { respondPage } from '../pages/page.ts';
import { supportContent, type TicketView } from '../pages/support-page.ts';
import { check } from '../check.ts';
import { endpoint } from '../runner.ts';
import { respondFormError } from '../pages/form-error.ts';
import { FormContext, readVerifiedForm, loadSession } from './csrf.ts';

/** The longest part of a ticket, in characters, and how many open ones an address may have. */
const maxPart = 4000;
const maxOpen = 5;

const checkMethod = check<FormContext>('support.method_allowed', 'The method is GET or POST', '8.8', (context) =>
	requireMethod(context, 'GET', 'HEAD', 'POST')
);

const show = check<FormContext>('support.shown', 'The tickets of the address are shown', '8.8', (context) =>
	renderSupport(context)
);

const file = check<FormContext>(
	'support.ticket_filed',
	'The ticket has three parts and is filed',
	'8.8',
	async (context) => {
		const [result, reason, resolution] = ['result', 'reason', 'resolution'].map((name) =>
			sanitizeLines(context.fields.get(name) ?? '', maxPart)
		);
		if (!result || !reason || !resolution) {
			const problem = 'All three fields are required: the rate limit status, the reason, and what you changed.';
			return renderSupport(context, { status: 400, problem, result, reason, resolution });
		}
		const open = (await ticketsOf(context)).filter((ticket) => ticket.state === 'open');
		if (open.length >= maxOpen)
			throw new ProtocolError(
				'limit_reached',
				`Your address has ${maxOpen} open tickets. Wait until an administrator has decided one.`
			);
		const id = base64url(context.options.random(9));
		const created_at = context.sandbox.seconds();
		await context.sandbox.store.update('ticket', id, () => ({
			address: context.address,
			result,
			reason,
			resolution,
			state: 'open',
			created_at
		}));
		context.note(`ticket ${id} of ${context.address}`);
		return prefersJson(context.header('accept'))
			? respondJson(context, 201, { id, state: 'open' })
			: redirect(context, supportUrl(context));
	}
);

/** `GET /support`: the form of a support ticket, and what became of earlier ones (specification, section 8.8). */
export const support = endpoint(FormContext, [checkMethod, loadSession(), show], respondFormError);

/** `POST /support`: files a ticket (specification, section 8.8). */
export const fileTicket = endpoint(FormContext, [loadSession(), readVerifiedForm(), file], respondFormError);

async function renderSupport(
	context: FormContext,
	draft?: { readonly status: number; readonly problem: string } & Partial<
		Record<'result' | 'reason' | 'resolution', string | undefined>
	>
): Promise<WireResponse> {
	const status = draft?.status ?? 200;
	const tickets = await ticketsOf(context);
	const blacklistEntry = await context.sandbox.store.get('blacklist_entry', context.address);
	const form = { method: 'POST', action: supportUrl(context), fields: { csrf_token: context.csrfToken } };
	if (prefersJson(context.header('accept'))) {
		return respondJson(context, status, {
			address: context.address,
			blacklisted: blacklistEntry !== undefined,
			tickets,
			form,
			problem: draft?.problem
		});
	}
	const statusUrl = `${context.sandbox.base_url}/ratelimiting`;
	const content = supportContent({ address: context.address, blacklistEntry, tickets, draft, statusUrl, ...form });
	return respondPage(context, status, { title: 'Support · Tollgate', content, wide: true });
}

async function ticketsOf(context: FormContext): Promise<TicketView[]> {
	const tickets = await context.sandbox.store.list('ticket');
	return tickets
		.filter(([, ticket]) => ticket.address === context.address)
		.map(([id, { state, created_at }]) => ({ id, state, created_at }));
}

function supportUrl(context: FormContext): string {
	return `${context.sandbox.base_url}/support`;
}
