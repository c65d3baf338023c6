import { expect, test } from 'vitest';
import { FaultForm } from '#features/controls/fault-form.svelte.ts';
import { faultEndpoints } from '#api/control/fault-rules.ts';
import { newFault } from '#api/control/faults.ts';
import * as v from 'valibot';

test('the form of a fault sends what the service accepts, whatever was chosen before', () => {
	const form = new FaultForm();
	for (const endpoint of faultEndpoints) {
		form.endpoint = endpoint;
		for (const kind of form.kinds) {
			form.kind = kind;
			for (const error of form.errors) {
				form.error = error;
				form.after_commit = true;
				expect(v.is(newFault, form.body()), JSON.stringify(form.body())).toBe(true);
			}
		}
	}
	expect(form.kind).toBe('drop');
	form.endpoint = 'character';
	form.kind = 'forbidden';
	form.endpoint = 'token';
	expect(form.body()).toMatchObject({ endpoint: 'token', kind: 'status', status: 503, times: 1 });
});

test('a number that cannot be read is rejected, never taken for "until deleted"', () => {
	const form = new FaultForm();
	form.timing = 'count';
	form.times = 'many';
	const { issues } = v.safeParse(newFault, form.body());
	expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['times']);
});
