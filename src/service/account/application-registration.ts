import type { WireResponse } from '#wire/message.ts';
import { requireMethod } from '../responses.ts';
import { listApplications, registerApplication, warningsFor } from '../control/applications.ts';
import { noRight, rightOf } from '../control/control-access.ts';
import { ProtocolError } from '../errors.ts';
import { applicationsContent, registeredContent, type RegistrationDraft } from '../pages/applications-page.ts';
import { answerPage } from '../pages/page.ts';
import { endpoint, step } from '../runner.ts';
import { answerFormError } from '../pages/form-error.ts';
import { FormCall, readProvenForm, recogniseBrowser } from './csrf.ts';

const takeMethod = step<FormCall>('the method is GET or POST', '5', (call) =>
	requireMethod(call, 'GET', 'HEAD', 'POST')
);

const show = step<FormCall>('the registered applications, for whoever controls the sandbox', '5', (call) =>
	showPage(call)
);

const register = step<FormCall>('an application is registered', '5', async (call) => {
	const draft: RegistrationDraft = {
		name: call.fields.get('name') ?? '',
		kind: call.fields.get('kind') === 'installed' ? 'installed' : 'web',
		redirect_uris: call.fields.get('redirect_uris') ?? ''
	};
	try {
		if ((await rightOf(call, call.fields.get('key') ?? call.header('x-tollgate-key'))) === undefined) throw noRight();
		const redirect_uris = draft.redirect_uris.split(/[\r\n]+/).filter((line) => line !== '');
		const application = await registerApplication(call, { ...draft, redirect_uris });
		call.saw(`${application.client_id}, ${application.kind} application`);
		const content = registeredContent(application, warningsFor(application.redirect_uris), pageUrl(call));
		return answerPage(call, 201, { title: 'Registered · Tollgate', content });
	} catch (error) {
		if (error instanceof ProtocolError && error.status < 500)
			return showPage(call, { ...draft, problem: error.message, status: error.status });
		throw error;
	}
});

/** `GET /applications`: the applications of the sandbox, and the form that registers one (specification, section 5). */
export const applications = endpoint(FormCall, [takeMethod, recogniseBrowser(), show], answerFormError);

/** `POST /applications`: registers one, and shows its secret, once. */
export const registerOnPage = endpoint(FormCall, [recogniseBrowser(), readProvenForm(), register], answerFormError);

async function showPage(
	call: FormCall,
	draft?: RegistrationDraft & { readonly status: number }
): Promise<WireResponse> {
	const right = await rightOf(call);
	const content = applicationsContent({
		applications: right === undefined ? undefined : await listApplications(call),
		needsKey: right === undefined,
		draft,
		action: pageUrl(call),
		fields: { proof: call.proof }
	});
	return answerPage(call, draft?.status ?? 200, { title: 'Applications · Tollgate', content, wide: true });
}

function pageUrl(call: FormCall): string {
	return `${call.sandbox.base_url}/applications`;
}
