import type { Sandbox } from '../../conformance/sandbox.ts';

/** A check of a row of the table in the documentation, in a sandbox of today's standards; or the test that shows it where no request can. */
export type Requirement = ((at: Sandbox) => Promise<void>) | string;

/** The rows of one part of the table, by source and requirement. */
export type Requirements = Readonly<Record<string, Requirement>>;
