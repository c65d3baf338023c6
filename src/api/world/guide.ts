import * as v from 'valibot';
import { isPagePath } from '../page-path.ts';
import { isKnownPage } from '../site.ts';
import { plainText } from './world-fields.ts';

/** Where users sign in and allow access. Only a request of an application leads there. */
export const authorizationPage = '/ws/oauth2/auth/';

/** What a step of a guided demo can point at, with its page. Elements of the pages have the name in `data-guide`. */
export const guideTargets = {
	'viewer.permissions': '/viewer',
	'viewer.sign-in': '/viewer',
	'viewer.resources': '/viewer',
	'viewer.users': '/viewer',
	'viewer.limits': '/viewer',
	'viewer.log': '/viewer',
	'viewer.load-test': '/viewer',
	'sign-in.form': authorizationPage,
	'sign-in.account': authorizationPage,
	'consent.permissions': authorizationPage,
	'consent.allow': authorizationPage,
	'consent.deny': authorizationPage,
	'inspector.exchanges': '/inspector',
	'account.revoke': '/account'
} as const;

export type GuideTarget = keyof typeof guideTargets;

/** How many steps a guided demo has at most. */
export const maxGuideSteps = 20;

const targetNames = Object.keys(guideTargets).filter((name): name is GuideTarget => name in guideTargets);

/** A step: a text beside a page, and what it points at. */
export const guideStep = v.pipe(
	v.strictObject({
		title: plainText(80),
		text: plainText(400),
		/** The page, below the base URL of the sandbox. */
		path: v.pipe(
			v.string(),
			v.maxLength(300),
			v.check(isPagePath, 'Use the path of a page, such as /viewer.'),
			v.check(
				(path) => !isPagePath(path) || isKnownPage(path),
				'This site has no such page. Use one of its pages, such as /viewer.'
			)
		),
		/** What the step points at. */
		target: v.exactOptional(v.picklist(targetNames, `Use one of ${targetNames.join(', ')}.`)),
		/** Whether users press the target to go on. */
		press: v.exactOptional(v.boolean()),
		/** For the presenter. */
		notes: v.exactOptional(plainText(600))
	}),
	v.forward(
		v.check(
			({ path, target }) => target === undefined || guideTargets[target] === path,
			({ input: { target } }) =>
				`It is on the page ${target === undefined ? '' : guideTargets[target]}. Correct the path.`
		),
		['target']
	),
	v.forward(
		v.check(({ target, press }) => press !== true || target !== undefined, 'Say what users press as target.'),
		['press']
	),
	v.forward(
		v.check(
			({ target, path }) => target !== undefined || !path.startsWith('/ws/'),
			'Only a target can be on a page of the service.'
		),
		['path']
	)
);

/** A guided demo: steps beside the pages. */
export const guide = v.strictObject({
	title: plainText(80),
	steps: v.pipe(
		v.array(guideStep, 'Use a list.'),
		v.minLength(1, 'A guided demo has at least one step.'),
		v.maxLength(maxGuideSteps, `A guided demo has at most ${maxGuideSteps} steps.`)
	)
});

export type Guide = v.InferOutput<typeof guide>;
export type GuideStep = Guide['steps'][number];
