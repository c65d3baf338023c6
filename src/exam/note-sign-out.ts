import { isResourceRequest } from '#evidence/exchanges.ts';
import type { ProbeControl } from './probe-control.ts';

/** A browser that never signs in. */
const signedOut = 'signed-out';

/** Marks whether the client takes the user of browser `a` for signed out: it sends no call, and shows what a browser without a sign-in sees. */
export async function noteSignOut(exam: ProbeControl): Promise<void> {
	const hasCalled = exam.watch(isResourceRequest);
	const name = exam.name();
	await exam.use('a', name);
	const here = exam.page('a');
	await exam.settle();
	if (hasCalled() || here === undefined || here.status === 0) return;
	await exam.use(signedOut, name);
	const there = exam.page(signedOut);
	exam.mark({ isSignedOut: here.status === there?.status && here.text === there.text });
}
