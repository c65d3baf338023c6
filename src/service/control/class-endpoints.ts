import type { classesApi } from '#api/control/classes.ts';
import type { ownLessonsApi } from '#api/control/own-lessons.ts';
import type { ClassReports } from '../class/class-reports.ts';
import type { Endpoint } from '../core/runner.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import { classesEndpoints } from './classes.ts';
import { ownLessonsEndpoints } from './own-lessons.ts';

/** The endpoints of classes, and of the exercises that instructors wrote, of one service. */
export type ClassEndpoints = (
	registry: SandboxRegistry
) => Readonly<Record<keyof typeof classesApi | keyof typeof ownLessonsApi, Endpoint>>;

/** Those of a host that has classes. Other hosts import nothing of this, and have `noClasses`. */
export function withClasses(reports: ClassReports): ClassEndpoints {
	return (registry) => ({ ...classesEndpoints(registry, reports), ...ownLessonsEndpoints(reports) });
}
