import type { WireResponse } from '#wire/message.ts';
import { respondJson, redirect, requireMethod } from '../responses.ts';
import { decide } from '../control/unblock.ts';
import { accessDenied, findAccess } from '../control/control-access.ts';
import { base64url, sanitizeLines } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { prefersJson } from '../negotiation.ts';
import { respondPage } from '../pages/page.ts';
import { supportContent, type TicketDraft } from '../pages/support-page.ts';
import { rateLimitStatus } from '../resource/ratelimiting.ts';
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
		const decision = context.fields.get('decision');
		if (decision !== undefined) return decideHere(context, decision === 'unblock' ? 'unblock' : 'refuse');
		const [result, reason, resolution] = ['result', 'reason', 'resolution'].map((name) =>
			sanitizeLines(context.fields.get(name) ?? '', maxPart)
		);
		if (!result || !reason || !resolution) {
			const problem = 'All three fields are required: the rate limit status, the reason, and what you changed.';
			return renderSupport(context, { result, reason, resolution }, problem);
		}
		if ((await openTicketsOf(context)) >= maxOpen)
			throw new ProtocolError(
				'limit_reached',
				`Your address has ${maxOpen} open tickets. Wait until an administrator has decided one.`
			);
		const id = base64url(context.options.random(9));
		const created_at = context.sandbox.seconds();
		await context.sandbox.store.update('ticket', id, () => ({
			address: context.countedAddress,
			result,
			reason,
			resolution,
			state: 'open',
			created_at
		}));
		context.note(`ticket ${id} of ${context.countedAddress}`);
		return prefersJson(context.header('accept'))
			? respondJson(context, 201, { id, state: 'open' })
			: redirect(context, supportUrl(context));
	}
);

/** `GET /support`: the form of a support ticket, and what became of earlier ones (specification, section 8.8). */
export const support = endpoint(FormContext, [checkMethod, loadSession(), show], respondFormError);

/** `POST /support`: files a ticket (specification, section 8.8), or decides one if the visitor controls the sandbox. */
export const fileTicket = endpoint(FormContext, [loadSession(), readVerifiedForm(), file], respondFormError);

async function decideHere(context: FormContext, decision: 'unblock' | 'refuse'): Promise<WireResponse> {
	if ((await findAccess(context)) === undefined) throw accessDenied();
	const { id, state } = await decide(context, context.fields.get('ticket') ?? '', decision);
	context.note(`ticket ${id}: ${state}`);
	return redirect(context, supportUrl(context));
}

async function renderSupport(context: FormContext, draft?: TicketDraft, problem?: string): Promise<WireResponse> {
	const { countedAddress: address, sandbox } = context;
	const code = problem === undefined ? 200 : 400;
	const all = (await sandbox.store.list('ticket')).map(([id, ticket]) => ({ id, ...ticket }));
	const own = all.filter((ticket) => ticket.address === address);
	const { status, blacklistEntry } = await rateLimitStatus(context);
	const form = { method: 'POST', action: supportUrl(context), fields: { csrf_token: context.csrfToken } };
	if (prefersJson(context.header('accept'))) {
		const tickets = own.map(({ id, state, created_at }) => ({ id, state, created_at }));
		const blacklisted = blacklistEntry !== undefined;
		return respondJson(context, code, { address, blacklisted, tickets, form, problem });
	}
	const canDecide = (await findAccess(context)) !== undefined;
	const tickets = (canDecide ? all : own).toSorted((one, other) => one.created_at - other.created_at);
	const current = { result: JSON.stringify(status, undefined, 2) };
	const view = { address, blacklistEntry, tickets, canDecide, draft: draft ?? current, problem, ...form };
	return respondPage(context, code, { title: 'Support · Tollgate', content: supportContent(view) });
}

async function openTicketsOf({ sandbox, countedAddress: address }: FormContext): Promise<number> {
	const tickets = await sandbox.store.list('ticket');
	return tickets.filter(([, ticket]) => ticket.address === address && ticket.state === 'open').length;
}

function supportUrl(context: FormContext): string {
	return `${context.sandbox.base_url}/support`;
}
