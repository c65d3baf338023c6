/** The parts of the course, in their order. */
export const chapters = ['Sign-in', 'Tokens', 'Limits', 'Installed apps', 'Today’s standards'] as const;
