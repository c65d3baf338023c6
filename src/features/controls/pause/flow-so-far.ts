import type { HeldMessage, PausePoint } from '#api/control/pause.ts';
import { grants, type GrantDefinition } from '#api/protocol/grant-types.ts';
import type { Message } from '#ui/flow/messages.ts';

type Arrow = readonly [from: Message['from'], to: Message['to'], label: string, point?: PausePoint];

const signIn: readonly Arrow[] = [
	['application', 'browser', 'redirect'],
	['browser', 'authorization', 'GET auth · state', 'authorization_request'],
	['authorization', 'browser', '200 consent page'],
	['browser', 'authorization', 'POST auth · yes', 'consent'],
	['authorization', 'browser', '303 code, state', 'authorization_response'],
	['browser', 'application', 'GET callback'],
	['application', 'authorization', 'POST token · code', 'code_exchange'],
	['authorization', 'application', '200 access_token'],
	['application', 'resource', 'GET resource · access_token', 'resource_request'],
	['resource', 'application', '200 data']
];

const signInByForm = signIn.map((arrow): Arrow => {
	const [from, to, label, ...point] = arrow;
	if (label === '303 code, state') return [from, to, '200 form: code, state', ...point];
	return label === 'GET callback' ? [from, to, 'POST callback'] : arrow;
});

/** The arrows of a token request without a browser. */
const direct = ({ type, pause }: GrantDefinition): readonly Arrow[] => [
	['application', 'authorization', `POST token · ${type}`, pause.point],
	['authorization', 'application', '200 access_token'],
	['application', 'resource', 'GET resource · access_token'],
	['resource', 'application', '200 data']
];

/** The arrows of a flow that is held at a message: those before it are done, those behind it are still to come. */
export function flowAt({ point: held, response_mode }: Pick<HeldMessage, 'point' | 'response_mode'>): {
	readonly messages: readonly Message[];
	readonly at: number;
} {
	const grant = grants.find(({ pause }) => pause.point === held && held !== 'code_exchange');
	const arrows = grant ? direct(grant) : response_mode === 'form_post' ? signInByForm : signIn;
	const at = arrows.findIndex(([, , , point]) => point === held);
	const messages = arrows.map(([from, to, label], index) => ({
		id: String(index),
		from,
		to,
		label,
		isReply: /^(?:\d|redirect)/.test(label),
		isGhost: index > at,
		isHeld: index === at
	}));
	return { messages, at };
}
