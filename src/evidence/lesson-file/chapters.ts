/** The parts of the course, in their order. Apart from the schema of a lesson: the list of lessons loads no schema. */
export const chapters = ['Sign-in', 'Tokens', 'Limits', 'Installed apps', 'Today’s standards'] as const;
