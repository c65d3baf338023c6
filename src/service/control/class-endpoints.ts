import type { classesApi } from '#api/control/classes.ts';
import { ownLessonsApi } from '#api/control/own-lessons.ts';
import { withoutNotes } from '#evidence/lesson-file/instructor-lesson.ts';
import { findClass, rightsAt } from '../class/class-access.ts';
import type { ClassReports } from '../class/class-reports.ts';
import { seatStatus } from '../class/class-views.ts';
import { Classes, type ClassService } from '../class/classes.ts';
import { FormFields } from '../core/form-fields.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { Endpoint } from '../core/runner.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import { purgeSeats } from '../class/seats.ts';
import { classesEndpoints } from './classes.ts';
import { implement } from './control-endpoint.ts';

/** The endpoints of classes, and of the exercises that instructors wrote. */
export type ClassEndpoints = Readonly<Record<keyof typeof classesApi | keyof typeof ownLessonsApi, Endpoint>>;

/** Opens the classes of a service. `purge` stores what waits, and deletes seats whose joining failed. */
export type OpenClasses = (
	registry: SandboxRegistry,
	options: ServiceOptions
) => ClassService & { readonly endpoints: ClassEndpoints; purge(): Promise<void> };

/** The classes of a host that has them. Other hosts import nothing of this, and have `noClasses`. */
export function withClasses(reports: ClassReports): OpenClasses {
	return (registry, options) => {
		const classes = new Classes(registry.root.store, options);
		return {
			classes,
			endpoints: { ...classesEndpoints(registry, reports), ...ownLessonsEndpoints(reports) },
			statusOf: (seat) => seatStatus(classes, seat, options),
			purge: () => purgeSeats(classes, registry)
		};
	};
}

/** The lesson files of the server and of a class. */
function ownLessonsEndpoints(reports: ClassReports) {
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
