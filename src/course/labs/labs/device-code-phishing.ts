import { fieldsOf } from '../engine/character-viewer.ts';
import { subjectOf, type LabCode } from '../engine/lab.ts';
import { findGoodUser, type Message } from '../engine/message.ts';
import { rejectedBy } from '../shared/misses.ts';
import { hasCopied, sendForm, signInGoodUser } from '../shared/moves.ts';

/** What the page of the defense says, and the victim of this lab reads. */
const warning = 'if you did not start this';
/** In milliseconds. */
const pollInterval = 6000;
const codeRequest = { client_id: 'viewer', scope: 'character_read location_read' };
const pollOf = (device_code: string) => ({
	client_id: 'viewer',
	grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
	device_code
});

const isToken = (username: string) => (message: Message) =>
	message.from === 'attacker' &&
	message.entry?.endpoint === 'token' &&
	message.status === 200 &&
	message.entry.username === username;
const isOfVictim = isToken('player-one');
const sendPoll = sendForm('token/', ({ copied }) => pollOf(copied.get('device_code') ?? ''), ['access_token']);

export const code: LabCode = {
	subject: subjectOf(['device', 'screen', 'code', 'token', 'none', 'poll'], ({ copied, log }, word) => {
		const copiedFact = (label: 'code' | 'token', name: string) => ({
			label: word(label),
			value: copied.get(name),
			note: copied.has(name) ? '' : word('none')
		});
		const polls = log.filter(({ from, entry }) => from === 'attacker' && entry?.endpoint === 'token');
		return [
			{
				title: word('device'),
				note: word('screen'),
				isOfAttacker: true,
				facts: [
					copiedFact('code', 'user_code'),
					copiedFact('token', 'access_token'),
					...polls.map(({ outcome, tone }) => ({ label: word('poll'), note: outcome, tone }))
				]
			}
		];
	}),
	world: {
		weaknesses: ['device_code_hidden'],
		settings: { dialect: 'standard' },
		isPublic: true,
		// The victim reads the page, and started no sign-in on a device.
		async before({ browsers }) {
			browsers.victim.allows = (text) => !text.includes(warning);
		}
	},
	moves: {
		ask: {
			act: sendForm('device_authorization', () => codeRequest, [
				'device_code',
				'user_code',
				'verification_uri_complete'
			]),
			isDone: hasCopied('device_code')
		},
		link: {
			isPossible: hasCopied('verification_uri_complete'),
			act: (run) => run.setLink(run.copied.get('verification_uri_complete') ?? ''),
			isDone: ({ link, copied }) => link !== undefined && link === copied.get('verification_uri_complete')
		},
		open_as_victim: {
			isDone: ({ log }) => log.some(({ from, form }) => from === 'victim' && form.includes('decision='))
		},
		poll: {
			isPossible: hasCopied('device_code'),
			act(run) {
				// As each device does, it waits between two polls.
				run.clock.advance(pollInterval);
				return sendPoll(run);
			},
			isDone: ({ log }) => log.some(isOfVictim)
		}
	},
	misses: {
		own_account: { happened: (sent) => sent.find(isToken('player-three')) },
		expired: { happened: rejectedBy('token.device_code_valid') },
		too_early: { happened: rejectedBy('token.device_user_decided') }
	},
	goal: (log) => log.find(isOfVictim),
	defenses: { right: { weaknesses: [] } },
	rejected: (log) => log.find(({ from, form }) => from === 'victim' && form.includes('decision=deny')),
	async goodUser(run) {
		await signInGoodUser(run);
		const send = (path: string, form: Readonly<Record<string, string>>) =>
			run.sendAs('good_user', { method: 'POST', url: `${run.service.baseUrl}/ws/oauth2/${path}`, form });
		const asked = await send('device_authorization', codeRequest);
		const { device_code, verification_uri_complete } = fieldsOf(asked?.body);
		if (typeof device_code !== 'string' || typeof verification_uri_complete !== 'string') return;
		await run.browsers.good_user.open(verification_uri_complete);
		run.clock.advance(pollInterval);
		await send('token/', pollOf(device_code));
	},
	findGoodUser: (log) =>
		findGoodUser(log) &&
		log.find(({ from, entry, status }) => from === 'good_user' && entry?.endpoint === 'token' && status === 200)
};
