import type { WireResponse } from '#api/message.ts';
import { FormContext, loadSession, readVerifiedForm, signIn, signOut } from '../access/cookies.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check, endpoint } from '../core/runner.ts';
import { FormFields } from '../core/form-fields.ts';
import { redirect, requireMethod } from '../core/responses.ts';
import { consentContent, signInForm } from '../pages/sign-in-form.ts';
import { respondFormError } from '../pages/error-page.ts';
import { notice, pageTitle, respondPage, untrusted } from '../pages/page.ts';
import { html, type Html } from '#lib/html.ts';
import { meaningsOf } from '../sandbox/permissions.ts';
import { type Application, type DeviceAuthorization, type DeviceGrant, grantKey } from '../sandbox/records.ts';
import { describeCard, findTestCard } from '../sandbox/test-cards.ts';
import { keepClient } from '../token/client-authentication.ts';
import { displayUserCode, readUserCode } from '../token/device-codes.ts';
import { recordConsent } from './consent.ts';
import { checkPassword } from './passwords.ts';

class DevicePageContext extends FormContext {
	/** What the user typed, or the link contains. */
	typed: string | undefined;
	/** Who is signed in. Set by `device.user_signed_in`. */
	signedIn!: string;
	/** Set by `device.user_code_known`. */
	userCode!: string;
	device!: DeviceAuthorization;
	application!: Application;
}

const checkMethod = check<DevicePageContext>('device.page_method_allowed', (context) =>
	requireMethod(context, 'GET', 'HEAD', 'POST')
);

const requireUser = check<DevicePageContext>('device.user_signed_in', (context) => {
	context.typed = new FormFields(context.query).get('user_code');
	return requireSession(context);
});

const requireUserOfForm = check<DevicePageContext>('device.user_signed_in', async (context) => {
	context.typed = context.fields.get('user_code');
	const username = context.fields.get('username');
	if (username === undefined) {
		if (context.fields.get('decision') !== 'switch') return requireSession(context);
		await signOut(context, context.browser);
		context.note('Another account');
		return redirect(context, pageUrl(context, context.typed));
	}
	const known = await checkPassword(context, username, context.redact(context.fields.get('password') ?? ''));
	if (known === undefined) return signInPage(context, username);
	await signIn(context, context.browser, known.username);
	context.note(known.username);
	return redirect(context, pageUrl(context, context.typed));
});

const findDevice = check<DevicePageContext>('device.user_code_known', async (context) => {
	const { typed, store } = context;
	if (typed === undefined) {
		context.note('No code yet');
		return codePage(context, 200, undefined);
	}
	context.redact(typed, 'user_code');
	const code = readUserCode(typed);
	const device = code === undefined ? undefined : await store.get('device_authorization', code);
	const application = device && (await store.get('application', device.client_id));
	if (code === undefined || device === undefined || application === undefined) {
		// Codes are short, so guesses are limited (RFC 8628, section 5.1).
		await recordFailedAttempt(context, 'user_code');
		context.note('Unknown');
		return codePage(context, 400, 'No device waits with this code. Compare it with the one that the device shows.');
	}
	context.flow = device.flow;
	context.client_id = device.client_id;
	if (device.decision !== undefined || device.validUntil <= context.now()) {
		context.note(device.decision === undefined ? 'Expired' : 'Decided before');
		return codePage(context, 400, 'This code has expired or was used. Start again on the device.');
	}
	context.userCode = code;
	context.device = device;
	context.application = application;
	context.note(`${application.client_id}: ${device.scopes.join(' ')}`);
});

const askUser = check<DevicePageContext>('device.user_asked', async (context) => {
	const { device, application, sandbox, signedIn, store } = context;
	const { brand, accounts, icons, texts } = sandbox.seed.world;
	const meanings = await meaningsOf(context);
	const granted = (await store.get('grant', grantKey(signedIn, device.client_id)))?.scopes ?? [];
	const content = consentContent({
		brand,
		application: application.name,
		icon: icons.get(application.client_id),
		username: signedIn,
		account: accounts.find((account) => account.username === signedIn),
		text: texts.consent,
		permissions: device.scopes.map((scope) => ({
			scope,
			meaning: meanings.get(scope) ?? scope,
			isGranted: granted.includes(scope),
			isRequested: true
		})),
		offline: 'possible',
		redirect_uri: undefined,
		userCode: displayUserCode(context.userCode),
		hidesOrigin: context.weaknesses.has('device_code_hidden'),
		action: pageUrl(context),
		fields: { csrf_token: context.csrfToken, user_code: displayUserCode(context.userCode) }
	});
	return respondPage(context, 200, { title: pageTitle(context, 'Allow access?'), content });
});

const decide = check<DevicePageContext>('device.decided', async (context) => {
	const { signedIn, application, device } = context;
	const decision = context.fields.get('decision');
	if (decision !== 'approve' && decision !== 'deny') return redirect(context, pageUrl(context, context.typed));
	const card = findTestCard(context, 'account', signedIn);
	const isDeclining = card?.outcome === 'access_denied';
	const isAllowed = decision === 'approve' && !isDeclining;
	const isFirst = await recordDecision(context, isAllowed ? await allow(context) : 'denied');
	if (!isFirst) {
		context.note('Decided before');
		return codePage(context, 400, 'This code was used. Start again on the device.');
	}
	await keepClient(context, application);
	context.note(isDeclining ? describeCard(card) : `${signedIn}: ${decision}, ${device.client_id}`);
	return respondPage(context, 200, {
		title: pageTitle(context, isAllowed ? 'Device connected' : 'Access denied'),
		content: deviceDecidedContent(application.name, isAllowed)
	});
});

const common = [rejectBlacklisted, requireMetadata, checkMethod, loadSession<DevicePageContext>()] as const;

/** The page for the code of a device, `GET /ws/oauth2/device` (RFC 8628, section 3.3). */
export const devicePage = endpoint(DevicePageContext, [...common, requireUser, findDevice, askUser], respondFormError);

/** The sign-in and the decision, `POST /ws/oauth2/device`. */
export const decideDevice = endpoint(
	DevicePageContext,
	[...common, readVerifiedForm<DevicePageContext>(), requireUserOfForm, findDevice, decide],
	respondFormError
);

function requireSession(context: DevicePageContext): WireResponse | undefined {
	const username = context.browser.session?.username;
	if (username === undefined) return signInPage(context);
	context.signedIn = username;
	context.note(username);
	return undefined;
}

async function allow(context: DevicePageContext): Promise<DeviceGrant> {
	const { device, browser, signedIn } = context;
	const request = { scopes: device.scopes, offline: true };
	const { id } = await recordConsent(Object.assign(context, { authorizationRequest: request }), signedIn);
	context.grantId = id;
	return { username: signedIn, grant: id, authTime: browser.session?.authTime };
}

/** Records the decision, unless there is one. Returns whether it did. */
async function recordDecision(context: DevicePageContext, decision: 'denied' | DeviceGrant): Promise<boolean> {
	const outcome = { isFirst: false };
	await context.store.update('device_authorization', context.userCode, (now) => {
		outcome.isFirst = now !== undefined && now.decision === undefined && now.device === context.device.device;
		return now && outcome.isFirst ? { ...now, decision } : now;
	});
	return outcome.isFirst;
}

function signInPage(context: DevicePageContext, failedAs?: string): WireResponse {
	const { world } = context.sandbox.seed;
	const form = signInForm({
		action: pageUrl(context),
		fields: {
			csrf_token: context.csrfToken,
			...(context.typed !== undefined && { user_code: context.typed.slice(0, 20) })
		},
		accounts: world.accounts,
		username: failedAs,
		problem: failedAs === undefined ? undefined : 'Incorrect username or password.'
	});
	const content = html`<h1>Sign in</h1>
		<p class="lead">Sign in to connect a device to your ${world.brand.name} account.</p>
		${form}`;
	return respondPage(context, failedAs === undefined ? 200 : 403, { title: pageTitle(context, 'Sign in'), content });
}

function codePage(context: DevicePageContext, status: number, problem: string | undefined): WireResponse {
	return respondPage(context, status, {
		title: pageTitle(context, 'Connect a device'),
		content: deviceCodeContent(pageUrl(context), context.signedIn, problem)
	});
}

function pageUrl({ sandbox }: DevicePageContext, user_code?: string): string {
	const url = `${sandbox.base_url}/ws/oauth2/device`;
	return user_code === undefined ? url : `${url}?user_code=${encodeURIComponent(user_code.slice(0, 20))}`;
}

/** The form for the code that a device shows. @param problem why the last code led nowhere */
function deviceCodeContent(action: string, username: string, problem: string | undefined): Html {
	return html`<h1>Connect a device</h1>
		<p class="lead">You are signed in as <strong>${username}</strong>. Enter the code that your device shows.</p>
		${problem === undefined ? undefined : notice('error', problem)}
		<form class="stack" method="get" action="${action}">
			<label><span>Code</span>
				<input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required autofocus />
			</label>
			<div class="actions"><button class="primary">Continue</button></div>
		</form>`;
}

/** The page after the decision. @param application its name */
function deviceDecidedContent(application: string, isAllowed: boolean): Html {
	return isAllowed
		? html`<h1>Device connected</h1>
				${notice('ok', html`${untrusted(application)} has access to your account.`)}
				<p class="hint">Go back to your device. You can close this window.</p>`
		: html`<h1>Access denied</h1>
				${notice('info', html`You denied access, so ${untrusted(application)} gets no token.`)}
				<p class="hint">You can close this window.</p>`;
}
