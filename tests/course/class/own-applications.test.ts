import { expect, test } from 'vitest';
import demoWorld from '#service/world/demo-world.json' with { type: 'json' };
import { ownApplications } from '#features/shell/own-applications.ts';

const viewer = { client_id: demoWorld.viewer.client_id, name: 'Viewer' };
const one = { client_id: 'one', name: 'One' };
const two = { client_id: 'two', name: 'Two' };

test('what a student writes comes with its secret, then newer registrations, and never the demo clients', () => {
	const remembered = { client_id: 'one', name: 'One', client_secret: 'secret' };
	expect(ownApplications([viewer, one, two], demoWorld, [remembered])).toEqual([remembered, two]);
	expect(ownApplications([viewer, one, two], demoWorld)).toEqual([two, one]);
	expect(ownApplications([viewer], demoWorld, [remembered]), 'it was deleted').toEqual([]);
});
