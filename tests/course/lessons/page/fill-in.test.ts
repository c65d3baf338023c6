import { expect, it } from 'vitest';
import { allLessons, loadLesson } from '#course/lessons/all-lessons.ts';
import { fillIn } from '#course/lessons/model/fill-in.ts';

it.each(allLessons)('the commands of lesson $id check the certificate of a local server', async ({ id }) => {
	const lesson = await loadLesson(id);
	if (lesson === undefined) throw new Error(`src/course/lessons/${id} has no lesson.ts`);
	const { help, ownClient } = lesson;
	for (const text of [help.call, ownClient.code]) {
		const local = fillIn(text, 'https://localhost:8443/~x', undefined);
		expect(local).not.toMatch(/curl -[a-z]*k/);
		expect(local).not.toMatch(/\{(?:curl|base_url)\}/);
		for (const [command] of local.matchAll(/\bcurl .*?https:/g)) {
			expect(command).toContain('--cacert .tollgate/tls/ca.pem');
		}
		expect(fillIn(text, 'https://localhost:8443/~x', '/srv/ca.pem')).toBe(
			local.replaceAll('.tollgate/tls/ca.pem', '/srv/ca.pem')
		);
		expect(fillIn(text, 'https://tollgate.example', undefined)).not.toContain('ca.pem');
	}
});
