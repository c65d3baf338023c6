import { classesApi } from '#api/control/classes.ts';
import { ownLessonsApi } from '#api/control/own-lessons.ts';
import { mapValues } from '#lib/map-values.ts';
import { classesOff, unknownClass } from '../class/class-errors.ts';
import type { ClassEndpoints } from './classes.ts';
import { implement } from './control-endpoint.ts';

/** The endpoints of classes of a host without them: no class can be opened, and no code is known. */
export const noClasses: ClassEndpoints = {
	...implement(
		classesApi,
		mapValues(classesApi, (_, key) => () => {
			throw key === 'POST /control/classes' ? classesOff() : unknownClass();
		})
	),
	...implement(ownLessonsApi, { 'GET /control/lessons': () => ({ files: [] }) })
};
