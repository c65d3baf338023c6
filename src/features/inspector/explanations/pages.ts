import { wrongMethod, type CheckExplanations } from './explanation.ts';

const reload = 'location.reload() // then send the form again';
const restart = 'location.assign(authorizationUrl) // starts again';
const hiddenField = 'body.set(input.name, input.value) // every hidden field of the page';

/** Of the forms for sign-in, consent and account settings. */
export const pages = {
	'consent.not_declined_by_test_account': [
		'The user is the test account that always declines.',
		'Handle access_denied, and offer to start again. Sign in as another account to get a code.',
		"if (params.get('error') === 'access_denied') showSignIn()"
	],
	'consent.not_declined_by_test_account completed': [
		'Another request completed this sign-in at the same time.',
		'Start again from the application.',
		restart
	],
	'interaction.method_is_post': wrongMethod('POST', 'Submit the form of the page.'),
	'interaction.same_origin': [
		'The form was sent from a page of another site.',
		'Send the user to the authorization URL. Never submit the form for the user.',
		restart
	],
	'interaction.form_is_valid not_a_form': [
		'The body is not a form.',
		'Submit the form of the page, or encode the fields as it does.',
		hiddenField
	],
	'interaction.form_is_valid broken_field': [
		'A field was sent twice, or is badly encoded.',
		'Send each field of the page once.',
		hiddenField
	],
	'interaction.pending_in_this_browser unknown_interaction': [
		'The page is older than 15 minutes, or its id is wrong.',
		'Start again from the application.',
		restart
	],
	'interaction.pending_in_this_browser completed': [
		'The user has completed this sign-in, and sent its form again.',
		'Use the code that the application received, or start again.',
		restart
	],
	'interaction.pending_in_this_browser other_browser': [
		'The sign-in was started in another browser, or the session cookie was not sent.',
		'Allow cookies. A program must send back every cookie it received.',
		"headers: { Cookie: cookies.join('; ') }"
	],
	'interaction.pending_in_this_browser redirect_uri_removed': [
		'The application or its redirect URI was removed during the sign-in.',
		'Register the redirect URI again, and start again.',
		restart
	],
	'interaction.password_is_correct': [
		'The user name and the password do not match an account of this sandbox.',
		'The password of every demo account is demo. Each sandbox has its own accounts.',
		"body.set('password', 'demo')"
	],
	'interaction.decided_by_prompted_user other_user': [
		'Another user signed in to this browser after the page was shown.',
		'Start again, so that the current user sees the request.',
		restart
	],
	'interaction.decided_by_prompted_user completed': [
		'The decision was sent twice, and the first one counts.',
		'Submit the form once.',
		"form.addEventListener('submit', () => (button.disabled = true))"
	],
	'account.method_allowed': wrongMethod('GET', 'Open the page with GET, and submit its forms with POST.'),
	'account.changed unknown_action': [
		'The form has no action that the page knows.',
		'Submit a form of the page, with its button.',
		hiddenField
	],
	'account.changed no_access': [
		'The application has no access that could be revoked. It was revoked before.',
		'Reload the page to see the current list.',
		reload
	],
	'csrf.form_from_this_browser not_a_form': ['The body is not a form.', 'Submit a form of the page.', hiddenField],
	'csrf.form_from_this_browser broken_field': [
		'A field was sent twice, or is badly encoded.',
		'Send each field of the page once.',
		hiddenField
	],
	'csrf.form_from_this_browser other_session': [
		'The csrf_token belongs to another session. The user signed in or out in another tab.',
		'Reload the page and send the form again.',
		reload
	]
} satisfies CheckExplanations;
