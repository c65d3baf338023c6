import { ownLessonsApi } from '#api/control/own-lessons.ts';
import { withoutNotes } from '#evidence/lesson-file/lesson-file.ts';
import { findClass, rightsAt } from '../class/class-access.ts';
import type { ClassReports } from '../class/class-reports.ts';
import { FormFields } from '../core/form-fields.ts';
import { implement } from './control-endpoint.ts';

/** The lesson files of the server and of a class. */
export function ownLessonsEndpoints(reports: ClassReports) {
	return implement(ownLessonsApi, {
		'GET /control/lessons': async (context) => {
			const ofServer = reports.lessons;
			const sent = new FormFields(context.query).get('class_code');
			if (sent === undefined) return { files: ofServer.map(withoutNotes) };
			const { code, record } = await findClass(context, sent);
			const { isInstructor, isReader } = await rightsAt(context, code, record);
			const ofClass = await context.classes.lessons.find(code);
			const all = [...ofClass, ...ofServer.filter(({ id }) => ofClass.every((one) => one.id !== id))];
			return { files: isInstructor || isReader ? all : all.map(withoutNotes) };
		}
	});
}
