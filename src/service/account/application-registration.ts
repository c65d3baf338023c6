import type { WireResponse } from '#wire/message.ts';
import { requireMethod } from '../responses.ts';
import { listApplications, registerApplication, warningsFor } from '../control/applications.ts';
import { accessDenied, findAccess } from '../control/control-access.ts';
import { ProtocolError } from '../errors.ts';
import { applicationsContent, registeredContent, type RegistrationDraft } from '../pages/applications-page.ts';
import { respondPage } from '../pages/page.ts';
import { check } from '../check.ts';
import { endpoint } from '../runner.ts';
import { respondFormError } from '../pages/form-error.ts';
import { FormContext, readVerifiedForm, loadSession } from './csrf.ts';

const checkMethod = check<FormContext>('applications.method_allowed', 'The method is GET or POST', '5.1', (context) =>
	requireMethod(context, 'GET', 'HEAD', 'POST')
);

const show = check<FormContext>('applications.shown', 'The registered applications are shown', '5.1', (context) =>
	renderApplications(context)
);

const register = check<FormContext>(
	'applications.registered',
	'The application is registered',
	'5.1',
	async (context) => {
		const draft: RegistrationDraft = {
			name: context.fields.get('name') ?? '',
			kind: context.fields.get('kind') === 'installed' ? 'installed' : 'web',
			redirect_uris: context.fields.get('redirect_uris') ?? ''
		};
		try {
			if ((await findAccess(context, context.fields.get('key') ?? context.header('x-tollgate-key'))) === undefined)
				throw accessDenied();
			const redirect_uris = draft.redirect_uris.split(/[\r\n]+/).filter((line) => line !== '');
			const application = await registerApplication(context, { ...draft, redirect_uris });
			context.note(`${application.client_id}, ${application.kind} application`);
			const content = registeredContent(application, warningsFor(application.redirect_uris), context.sandbox.base_url);
			return respondPage(context, 201, { title: 'Application registered · Tollgate', content });
		} catch (error) {
			if (error instanceof ProtocolError && error.status < 500)
				return renderApplications(context, { ...draft, problem: error.message, status: error.status });
			throw error;
		}
	}
);

/** `GET /applications`: the applications of the sandbox, and the form that registers one (specification, section 5). */
export const applications = endpoint(FormContext, [checkMethod, loadSession(), show], respondFormError);

/** `POST /applications`: registers one, and shows its secret, once. */
export const registerOnPage = endpoint(FormContext, [loadSession(), readVerifiedForm(), register], respondFormError);

async function renderApplications(
	context: FormContext,
	draft?: RegistrationDraft & { readonly status: number }
): Promise<WireResponse> {
	const right = await findAccess(context);
	const content = applicationsContent({
		applications: right === undefined ? undefined : await listApplications(context),
		needsKey: right === undefined,
		draft,
		action: pageUrl(context),
		fields: { csrf_token: context.csrfToken }
	});
	return respondPage(context, draft?.status ?? 200, { title: 'Applications · Tollgate', content });
}

function pageUrl(context: FormContext): string {
	return `${context.sandbox.base_url}/applications`;
}
