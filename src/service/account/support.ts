import type { WireResponse } from '#wire/message.ts';
import { answerJson, redirect, requireMethod } from '../responses.ts';
import { base64url, shownLines } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { wantsData } from '../negotiation.ts';
import { answerPage } from '../pages/page.ts';
import { supportContent, type TicketView } from '../pages/support-page.ts';
import { endpoint, step } from '../runner.ts';
import { answerFormError } from '../pages/form-error.ts';
import { FormCall, readProvenForm, recogniseBrowser } from './csrf.ts';

/** The longest part of a ticket, in characters, and how many open ones an address may have. */
const longestPart = 4000;
const mostOpen = 5;

const takeMethod = step<FormCall>('the method is GET or POST', '8.8', (call) =>
	requireMethod(call, 'GET', 'HEAD', 'POST')
);

const show = step<FormCall>('the tickets of this address', '8.8', (call) => showSupport(call));

const file = step<FormCall>('the ticket has its three parts', '8.8', async (call) => {
	const [result, why, fix] = ['result', 'why', 'fix'].map((name) =>
		shownLines(call.fields.get(name) ?? '', longestPart)
	);
	if (!result || !why || !fix) {
		const problem =
			'All three parts are needed: the result of the rate limit call, why the blacklisting was wrong, and the fix.';
		return showSupport(call, { status: 400, problem, result, why, fix });
	}
	const open = (await ticketsOf(call)).filter((ticket) => ticket.state === 'open');
	if (open.length >= mostOpen)
		throw new ProtocolError('limit_reached', `This address has ${mostOpen} open tickets. Wait for an answer.`);
	const id = base64url(call.options.random(9));
	const filed = call.sandbox.seconds();
	await call.sandbox.area.update('ticket', id, () => ({
		address: call.address,
		result,
		why,
		fix,
		state: 'open',
		filed
	}));
	call.saw(`ticket ${id} of ${call.address}`);
	return wantsData(call.header('accept'))
		? answerJson(call, 201, { id, state: 'open' })
		: redirect(call, supportUrl(call));
});

/** `GET /support`: the form of a support ticket, and what became of earlier ones (specification, section 8.8). */
export const support = endpoint(FormCall, [takeMethod, recogniseBrowser(), show], answerFormError);

/** `POST /support`: files a ticket (specification, section 8.8). */
export const fileTicket = endpoint(FormCall, [recogniseBrowser(), readProvenForm(), file], answerFormError);

async function showSupport(
	call: FormCall,
	draft?: { readonly status: number; readonly problem: string } & Partial<
		Record<'result' | 'why' | 'fix', string | undefined>
	>
): Promise<WireResponse> {
	const status = draft?.status ?? 200;
	const tickets = await ticketsOf(call);
	const ban = await call.sandbox.area.get('ban', call.address);
	const form = { method: 'POST', action: supportUrl(call), fields: { proof: call.proof } };
	if (wantsData(call.header('accept'))) {
		return answerJson(call, status, {
			address: call.address,
			blacklisted: ban !== undefined,
			tickets,
			form,
			problem: draft?.problem
		});
	}
	const standing = `${call.sandbox.base_url}/ratelimiting`;
	const content = supportContent({ address: call.address, ban, tickets, draft, standing, ...form });
	return answerPage(call, status, { title: 'Support · Tollgate', content, wide: true });
}

async function ticketsOf(call: FormCall): Promise<TicketView[]> {
	const tickets = await call.sandbox.area.list('ticket');
	return tickets
		.filter(([, ticket]) => ticket.address === call.address)
		.map(([id, { state, filed }]) => ({ id, state, filed }));
}

function supportUrl(call: FormCall): string {
	return `${call.sandbox.base_url}/support`;
}
